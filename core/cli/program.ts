import { Command } from "commander";
import { assetAdd } from "./commands/asset-add.js";
import { assetList } from "./commands/asset-list.js";
import { connectionAdd } from "./commands/connection-add.js";
import { connectionList } from "./commands/connection-list.js";
import { connectionRotateSecret } from "./commands/connection-rotate-secret.js";
import { connectionTest } from "./commands/connection-test.js";
import { addDoctor } from "./commands/doctor.js";
import { keyCreate } from "./commands/key-create.js";
import { keyList } from "./commands/key-list.js";
import { keyRevoke } from "./commands/key-revoke.js";
import { linkCreate } from "./commands/link-create.js";
import { linkList } from "./commands/link-list.js";
import { linkRevoke } from "./commands/link-revoke.js";
import { addMcp } from "./commands/mcp.js";
import { orgCreate } from "./commands/org-create.js";
import { orgList } from "./commands/org-list.js";
import { pluginDoctor } from "./commands/plugin-doctor.js";
import { pluginList } from "./commands/plugin-list.js";
import { addServe } from "./commands/serve.js";
import { signatureCancel, signatureResend } from "./commands/signature-act.js";
import { signatureGet } from "./commands/signature-get.js";
import { signatureList } from "./commands/signature-list.js";
import { templateExport } from "./commands/template-export.js";
import { templateImport } from "./commands/template-import.js";
import { templateList } from "./commands/template-list.js";
import { userCreate } from "./commands/user-create.js";
import { userList } from "./commands/user-list.js";
import { userLoginLink } from "./commands/user-login-link.js";
import { userRemove } from "./commands/user-remove.js";
import { userRole } from "./commands/user-role.js";
import { webhookCreate } from "./commands/webhook-create.js";
import { webhookList } from "./commands/webhook-list.js";
import { webhookReplay } from "./commands/webhook-replay.js";
import { webhookRotateSecret } from "./commands/webhook-rotate-secret.js";
import { webhookDisable, webhookEnable } from "./commands/webhook-switch.js";
import { webhookTest } from "./commands/webhook-test.js";
import { addWorker } from "./commands/worker.js";
import type { Examine, RunService, WithServices } from "./services.js";

const groups = {
  org: ["organizations", orgCreate, orgList],
  user: [
    "users of an organization, and how they sign in",
    userCreate,
    userList,
    userRole,
    userLoginLink,
    userRemove,
  ],
  key: ["API keys", keyCreate, keyList, keyRevoke],
  template: ["templates", templateImport, templateExport, templateList],
  webhook: [
    "endpoints that are told of events",
    webhookCreate,
    webhookList,
    webhookTest,
    webhookRotateSecret,
    webhookDisable,
    webhookEnable,
    webhookReplay,
  ],
  plugin: ["plugins that are installed", pluginList, pluginDoctor],
  connection: [
    "saved access to platforms",
    connectionAdd,
    connectionTest,
    connectionList,
    connectionRotateSecret,
  ],
  link: ["pages for people without a key", linkCreate, linkList, linkRevoke],
  signature: [
    "documents on their way to being signed",
    signatureList,
    signatureGet,
    signatureCancel,
    signatureResend,
  ],
  asset: ["what templates use", assetAdd, assetList],
} as const;

/** The command line, a group of commands for each thing. Works while the service runs. */
export function createProgram(
  version: string,
  withServices: WithServices,
  runService: RunService,
  examine: Examine,
): Command {
  const program = new Command("platen")
    .description("Administers Platen. Reads the same PLATEN_* variables.")
    .version(version)
    .exitOverride();
  addServe(program, runService);
  addWorker(program, runService);
  addDoctor(program, examine);
  addMcp(program, withServices);
  for (const [name, [description, ...commands]] of Object.entries(groups)) {
    const group = program.command(name).description(description);
    for (const add of commands) add(group, withServices);
  }
  return program;
}
