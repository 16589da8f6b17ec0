import type { AuditLine } from "../../../../../../core/plugin-api/app-audit.js";
import { agoOf, momentOf } from "../../format.js";
import { Link } from "../../link.js";
import { Icon, type IconName } from "../../ui/icon.js";
import { moreOf, whoOf, wordsOfAct } from "./act-words.js";

const icons: Record<string, IconName> = {
  user: "people",
  login_link: "people",
  session: "account",
  organization: "people",
  api_key: "key",
  template: "templates",
  asset: "image",
  link: "open",
  signature: "edit",
  webhook: "webhooks",
  connection: "connections",
};

/** An act: what, to what, by whom, when. */
export function ActLine({ line }: { line: AuditLine }) {
  const { action, at } = line;
  const more = moreOf(line);
  return (
    <li class="line act">
      <Icon name={icons[thingOf(action)] ?? "audit"} size={18} />
      <div class="words">
        <span>
          <strong>{wordsOfAct(action)}</strong>
          {more !== "" && <span class="muted"> {more}</span>}
        </span>
        <Subject line={line} />
      </div>
      <span class="muted small">{whoOf(line)}</span>
      <time class="muted small" dateTime={at} title={momentOf(at)}>
        {agoOf(at)}
      </time>
    </li>
  );
}

function Subject({ line: { action, subject } }: { line: AuditLine }) {
  if (subject.name === null) return null;
  if (thingOf(action) !== "template")
    return <span class="small">{subject.name}</span>;
  return (
    <Link class="small" to={`templates/${subject.id}`}>
      {subject.name}
    </Link>
  );
}

function thingOf(action: string): string {
  return action.split(".")[0] ?? "";
}
