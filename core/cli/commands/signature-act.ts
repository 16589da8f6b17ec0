import type { Command } from "commander";
import type { SignatureDetail, Signatures } from "../../signatures/index.js";
import { print } from "../output.js";
import type { CliServices, WithServices } from "../services.js";

/** `platen signature cancel` */
export function signatureCancel(
  signature: Command,
  withServices: WithServices,
): void {
  add(signature, withServices, {
    name: "cancel",
    description: "withdraw a signature request, at the provider too",
    act: (signatures, org, id, actor) => signatures.cancel(org, id, actor),
    told: ({ title }) => `Withdrawn: “${title}”.`,
  });
}

/** `platen signature resend` */
export function signatureResend(
  signature: Command,
  withServices: WithServices,
): void {
  add(signature, withServices, {
    name: "resend",
    description: "remind those who are to sign now",
    act: (signatures, org, id, actor) => signatures.resend(org, id, actor),
    told: ({ title }) => `Those who are to sign “${title}” were reminded.`,
  });
}

interface Act {
  name: string;
  description: string;
  act: (
    signatures: Signatures,
    org: string,
    id: string,
    actor: CliServices["actor"],
  ) => Promise<SignatureDetail>;
  told: (done: SignatureDetail) => string;
}

function add(
  signature: Command,
  withServices: WithServices,
  { name, description, act, told }: Act,
): void {
  signature
    .command(name)
    .description(description)
    .argument("<id>", "the request's id, as `platen signature list` shows it")
    .requiredOption("--org <id>", "the organization")
    .option("--json", "print the request")
    .action((id: string, options: { org: string; json?: boolean }) =>
      withServices(async ({ actor, signatures }) => {
        const done = await act(await signatures(), options.org, id, actor);
        print(options, done, told(done));
      }),
    );
}
