import type { Command } from "commander";
import { PlatenError } from "../../plugin-api/index.js";
import { print } from "../output.js";
import type { CliServices, WithServices } from "../services.js";

interface Options {
  org?: string;
  mail?: boolean;
  json?: boolean;
}

/** `platen user login-link` */
export function userLoginLink(user: Command, withServices: WithServices): void {
  user
    .command("login-link")
    .description("make a link that signs a person in to the studio, once")
    .argument("<email>", "the person's e-mail address")
    .option("--org <id>", "the organization, if the person is in several")
    .option("--mail", "send it by e-mail, and do not show it")
    .option("--json", "print { url, expiresAt }, or { mailedTo, expiresAt }")
    .action((email: string, options: Options) =>
      withServices((services) => makeLink(services, email, options)),
    );
}

async function makeLink(
  { actor, members, loginLinks, loginMail }: CliServices,
  email: string,
  options: Options,
): Promise<void> {
  const member = await members.find(email, options.org);
  if (options.mail && loginMail === null)
    throw new PlatenError(
      "invalid_request",
      "There is no mail server: set PLATEN_SMTP_URL, or leave --mail out.",
    );
  const link = await loginLinks.issue(member, actor);
  const expiresAt = link.expiresAt.toISOString();
  if (options.mail && loginMail) {
    const [person] = (await members.list(member.organizationId)).filter(
      ({ id }) => id === member.userId,
    );
    const to = person?.email ?? email;
    await loginMail.send({ name: person?.name ?? "", email: to }, link);
    print(options, { mailedTo: to, expiresAt }, `Sent to ${to}.`);
    return;
  }
  const text = `${link.url}\n\nIt works once, until ${expiresAt}.`;
  print(options, { url: link.url, expiresAt }, text);
}
