import { Argument, type Command } from "commander";
import { MEMBER_ROLES, type MemberRole } from "../accounts/index.js";
import { PlatenError } from "../plugin-api/index.js";
import type { CliServices, CommandLine } from "./services.js";
import { type OfOrg, print, properties, warn, printTable } from "./terminal.js";

interface NewUser extends OfOrg {
  name: string;
  email: string;
  image?: string;
  role?: MemberRole;
}

/** Whom a command is about; the organization only when the user belongs to several. */
interface OfUser {
  org?: string;
  json?: boolean;
}

export function addUserCommands(
  user: Command,
  { withServices }: CommandLine,
): void {
  const email = ["<email>", "The user's email address"] as const;
  const org = [
    "--org <id>",
    "Organization ID, if the user belongs to several",
  ] as const;

  user
    .command("create")
    .alias("add")
    .description("Add a user to an organization")
    .requiredOption("--org <id>", "Organization ID")
    .requiredOption("--name <name>", "The user's name")
    .requiredOption("--email <address>", "The user's email address")
    .option("--image <url>", "URL of a portrait")
    .option("--role <role>", "owner, editor or viewer (default: editor)")
    .option("--json", "Print { id, name, email, image, role, … }")
    .action((options: NewUser) =>
      withServices(async ({ actor, users }) => {
        const { org: organizationId, json: _, ...person } = options;
        const created = await users.create(organizationId, person, actor);
        print(options, created, properties({ ...created }));
      }),
    );

  user
    .command("list")
    .description("List users and their roles")
    .option("--org <id>", "Only this organization (default: all)")
    .option("--json", "Print an array")
    .action((options: OfUser) =>
      withServices(async ({ organizations, signIn }) => {
        const { members } = await signIn();
        if (options.org !== undefined) await organizations.get(options.org);
        const rows = await members.list(options.org);
        printTable(options, rows, {
          EMAIL: (row) => row.email,
          NAME: (row) => row.name,
          ROLE: (row) => row.role,
          ORGANIZATION: (row) => row.organizationId,
          SINCE: (row) => row.joinedAt,
        });
      }),
    );

  user
    .command("role")
    .description("Change a user's role, which signs them out")
    .argument(...email)
    .addArgument(new Argument("<role>", "The new role").choices(MEMBER_ROLES))
    .option(...org)
    .option("--json", "Print { userId, organizationId, role }")
    .action((address: string, role: MemberRole, options: OfUser) =>
      withServices(async ({ actor, signIn }) => {
        const { members } = await signIn();
        const member = await members.find(address, options.org);
        await members.changeRole(member, role, actor);
        print(options, { ...member, role }, `${address} is now ${role}.`);
      }),
    );

  user
    .command("login-link")
    .description("Create a link that signs a user in to the studio, once")
    .argument(...email)
    .option(...org)
    .option("--mail", "Send the link by email instead of printing it")
    .option("--json", "Print { url, expiresAt }, or { mailedTo, expiresAt }")
    .action((address: string, options: OfUser & { mail?: boolean }) =>
      withServices((services) => createLoginLink(services, address, options)),
    );

  user
    .command("remove")
    .description("Remove a user from an organization, and sign them out")
    .argument(...email)
    .option(...org)
    .option("--json", "Print { userId, organizationId, keys }")
    .action((address: string, options: OfUser) =>
      withServices(async ({ actor, signIn }) => {
        const { members } = await signIn();
        const member = await members.find(address, options.org);
        const { userId, organizationId } = member;
        const { keys } = await members.remove(member, actor);
        const removed = { userId, organizationId, keys };
        print(options, removed, `${address} was removed and signed out.`);
        if (keys > 0)
          warn(
            `${keys} API ${keys === 1 ? "key" : "keys"} of this user still work: see platen key list --org ${organizationId}`,
          );
      }),
    );
}

async function createLoginLink(
  { actor, signIn }: CliServices,
  address: string,
  options: OfUser & { mail?: boolean },
): Promise<void> {
  const { members, loginLinks, loginMail } = await signIn();
  const member = await members.find(address, options.org);
  if (options.mail && loginMail === null)
    throw new PlatenError(
      "invalid_request",
      "No mail server is configured: set PLATEN_SMTP_URL, or leave out --mail.",
    );
  const link = await loginLinks.issue(member, actor);
  const expiresAt = link.expiresAt.toISOString();
  if (options.mail && loginMail) {
    const [person] = (await members.list(member.organizationId)).filter(
      ({ id }) => id === member.userId,
    );
    const to = person?.email ?? address;
    await loginMail.send({ name: person?.name ?? "", email: to }, link);
    print(options, { mailedTo: to, expiresAt }, `Sent to ${to}.`);
    return;
  }
  const text = `${link.url}\n\nIt works once, until ${expiresAt}.`;
  print(options, { url: link.url, expiresAt }, text);
}
