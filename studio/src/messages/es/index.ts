import { common } from "./common.js";
import { shell, session, account, signIn } from "./shell.js";
import {
  templates,
  firstSteps,
  newTemplate,
  render,
  folders,
  assets,
} from "./templates.js";
import { deliveries } from "./deliveries.js";
import { documents, batches, fromFile, usage } from "./documents.js";
import {
  automations,
  buttons,
  connections,
  webhooks,
  plugins,
} from "./integrations.js";
import { keys, assistants, connect, people, audit } from "./organization.js";
import { wizard } from "./wizard.js";
import { editor, tour, canvas, preview, json, versions } from "./editor.js";
import { arrange } from "./arrange.js";
import { emailSections } from "./email-sections.js";
import { components, content } from "./components.js";
import { style, page, property } from "./properties.js";
import { fields, paths, text } from "./data.js";
import { blocks, brand } from "./brand.js";
import { certificate } from "./certificate.js";
import { einvoice } from "./einvoice.js";
import { numbers } from "./numbers.js";
import { rules } from "./rules.js";
import { draft, edits } from "./draft.js";

/** All texts of the studio in Spanish, by area and key. */
export const es = {
  common,
  shell,
  session,
  account,
  signIn,
  templates,
  firstSteps,
  newTemplate,
  render,
  folders,
  assets,
  documents,
  batches,
  fromFile,
  deliveries,
  usage,
  automations,
  buttons,
  connections,
  webhooks,
  plugins,
  keys,
  assistants,
  connect,
  people,
  audit,
  certificate,
  wizard,
  editor,
  tour,
  canvas,
  preview,
  json,
  versions,
  arrange,
  emailSections,
  components,
  content,
  style,
  page,
  fields,
  paths,
  text,
  property,
  rules,
  einvoice,
  numbers,
  draft,
  edits,
  blocks,
  brand,
} as const;
