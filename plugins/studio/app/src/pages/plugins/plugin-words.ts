import type { PluginAbility } from "../../../../../../core/plugin-api/app-plugins.js";
import type { PluginKind } from "../../../../../../core/plugin-api/plugin.js";

/** What the plugins of a kind are for. */
export const kindWords: readonly (readonly [
  kind: PluginKind,
  title: string,
  lead: string,
])[] = [
  [
    "platform",
    "Spreadsheets and databases",
    "Records come from them, and finished files go back.",
  ],
  ["esign", "E-signatures", "Documents are signed with them."],
  ["file-store", "File storage", "Files are kept in them."],
  ["app", "Pages", "They add pages such as this one."],
];

export const abilityWords: Record<PluginAbility, string> = {
  "linked-records": "Follows links between tables",
  "files-in-cells": "Puts files into cells",
  "links-in-cells": "Puts links to files into cells",
  "row-search": "Searches for records",
  "signing-order": "Asks signers one after the other",
  "prefilled-fields": "Fills fields in beforehand",
  cancelling: "Cancels requests",
  reminders: "Sends requests again",
  "proven-notices": "Proves where its notices come from",
};
