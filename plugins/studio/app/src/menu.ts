import type { AppRole } from "../../../../core/plugin-api/app-plugin.js";
import { may } from "./me.js";
import type { IconName } from "./ui/icon.js";

export interface MenuEntry {
  /** A path of the app. */
  to: string;
  icon: IconName;
  words: string;
}

/** What most people are here for; on a phone, all that the bar has room for. */
export function firstEntries(): MenuEntry[] {
  return [
    { to: "templates", icon: "templates", words: "Templates" },
    { to: "documents", icon: "documents", words: "Documents" },
    { to: "batches", icon: "batches", words: "Batches" },
  ];
}

/** The rest; on a phone, behind "More". */
export function otherEntries(): MenuEntry[] {
  const all: (MenuEntry & { least?: AppRole })[] = [
    { to: "assets", icon: "image", words: "Assets" },
    {
      to: "start",
      icon: "table",
      words: "Connect a spreadsheet",
      least: "editor",
    },
    { to: "connections", icon: "connections", words: "Connections" },
    { to: "webhooks", icon: "webhooks", words: "Webhooks" },
    { to: "usage", icon: "usage", words: "Usage" },
    { to: "keys", icon: "key", words: "API keys", least: "owner" },
    { to: "people", icon: "people", words: "People", least: "owner" },
    { to: "audit", icon: "audit", words: "Audit log", least: "owner" },
    { to: "plugins", icon: "plugins", words: "Plugins", least: "owner" },
  ];
  return all.filter(({ least = "viewer" }) => may(least));
}
