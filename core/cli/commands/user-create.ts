import type { Command } from "commander";
import { print, properties } from "../output.js";
import type { WithServices } from "../services.js";

interface Options {
  org: string;
  name: string;
  email: string;
  image?: string;
  role?: "owner" | "editor" | "viewer";
  json?: boolean;
}

/** `platen user create` */
export function userCreate(user: Command, withServices: WithServices): void {
  user
    .command("create")
    .alias("add")
    .description("add a user to an organization")
    .requiredOption("--org <id>", "the organization")
    .requiredOption("--name <name>", "the person's name")
    .requiredOption("--email <address>", "the person's e-mail address")
    .option("--image <url>", "address of a portrait")
    .option("--role <role>", "owner, editor or viewer (default: editor)")
    .option("--json", "print { id, name, email, image, role, … }")
    .action((options: Options) =>
      withServices(async ({ actor, users }) => {
        const { org, json: _, ...person } = options;
        const made = await users.create(org, person, actor);
        print(options, made, properties({ ...made }));
      }),
    );
}
