import type { ComponentChildren } from "preact";
import type {
  AuditLine,
  PersonInfo,
  AuditAction,
} from "../../../../../core/plugin-api/app-plugin.js";
import { ask } from "../api.js";
import { agoOf, momentOf } from "../format.js";
import { Link, place, setQuery } from "../router.js";
import { OwnersOnly } from "../session.js";
import { listShown, useResource } from "../resource.js";
import { LoadStatus } from "../ui/loading.js";
import { Button } from "../ui/button.js";
import { Icon, type IconName } from "../ui/icon.js";
import { Empty } from "../ui/notice.js";
import { PageTitle } from "../ui/page-title.js";
import { pageIn, Pages } from "../ui/pagination.js";
import "./pages.css";

export function AuditPage() {
  return (
    <OwnersOnly title="Audit log">
      <Log />
    </OwnersOnly>
  );
}

function Log() {
  const page = pageIn(place.value.searchParams);
  const query = queryOf(place.value.searchParams, page);
  const log = useResource(query, () =>
    ask<{ data: AuditLine[]; total: number }>(`audit?${query}`),
  );
  const { fault, reload } = log;
  const data = listShown(log);
  return (
    <>
      <PageTitle
        title="Audit log"
        lead="Who changed what in your organization, newest first. Entries can't be changed."
      />
      <AuditFilters />
      <LoadStatus resource={{ data, fault, reload }} what="the log" />
      {data?.total === 0 && (
        <Empty icon="audit" title="No matching entries">
          <p>Try other dates, another person or all actions.</p>
        </Empty>
      )}
      {data && data.total > 0 && (
        <>
          <ul class="card lines">
            {data.data.map((line) => (
              <ActLine line={line} key={line.id} />
            ))}
          </ul>
          <Pages page={page} total={data.total} what="acts" />
        </>
      )}
    </>
  );
}

/** The days in the URL are local days, both inclusive. */
function queryOf(asked: URLSearchParams, page: number): string {
  const from = dayIn(asked.get("from"), 0);
  const until = dayIn(asked.get("to"), 1);
  return new URLSearchParams({
    page: String(page),
    action: asked.get("action") ?? "",
    ...(asked.has("person") && { userId: asked.get("person") ?? "" }),
    ...(from && { from }),
    ...(until && { until }),
  }).toString();
}

/** The start of a day such as 2026-07-31, plus some days; null when it is not a date. */
function dayIn(said: string | null, daysLater: number): string | null {
  const match = /^(\d{4})-(\d\d)-(\d\d)$/.exec(said ?? "");
  if (!match) return null;
  const [year, month, day] = match.slice(1).map(Number);
  const time = new Date(year ?? 0, (month ?? 1) - 1, (day ?? 1) + daysLater);
  return time.toISOString();
}

const names = ["action", "person", "from", "to"] as const;

/** Filters by action, person and date. They are kept in the URL. */
function AuditFilters() {
  const { searchParams } = place.value;
  const isAsked = names.some((name) => searchParams.has(name));
  return (
    <div class="bar audit-bar">
      <Filter words="What">
        <Acts {...fieldOf("action")} />
      </Filter>
      <Filter words="Who">
        <People {...fieldOf("person")} />
      </Filter>
      <Filter words="From">
        <input type="date" {...fieldOf("from")} />
      </Filter>
      <Filter words="To">
        <input type="date" {...fieldOf("to")} />
      </Filter>
      {isAsked && (
        <Button
          kind="quiet"
          onPress={() =>
            setQuery({ action: "", person: "", from: "", to: "", page: "" })
          }
        >
          Show all
        </Button>
      )}
    </div>
  );
}

function fieldOf(name: (typeof names)[number]): FieldProps {
  return {
    class: "input",
    value: place.value.searchParams.get(name) ?? "",
    onChange: ({ currentTarget }) =>
      setQuery({ [name]: currentTarget.value, page: "" }),
  };
}

interface FilterProps {
  words: string;
  children: ComponentChildren;
}

function Filter({ words, children }: FilterProps) {
  return (
    <label class="field">
      <span class="label">{words}</span>
      {children}
    </label>
  );
}

function People(props: FieldProps) {
  const people = useResource("", () => ask<PersonInfo[]>("people"));
  return (
    <select {...props}>
      <option value="">Everyone</option>
      {people.data?.map(({ id, name }) => (
        <option value={id} key={id}>
          {name}
        </option>
      ))}
    </select>
  );
}

interface FieldProps {
  class: string;
  value: string;
  onChange: (event: { currentTarget: { value: string } }) => void;
}

function Acts(props: FieldProps) {
  return (
    <select {...props}>
      <option value="">Everything</option>
      {actGroups.map(([group, things]) => (
        <optgroup label={group} key={group}>
          {Object.entries(actWords)
            .filter(([act]) => things.includes(act.split(".")[0] ?? ""))
            .map(([act, words]) => (
              <option value={act} key={act}>
                {words}
              </option>
            ))}
        </optgroup>
      ))}
    </select>
  );
}

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

function ActLine({ line }: { line: AuditLine }) {
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

const actWords: Record<AuditAction, string> = {
  "organization.created": "Organization created",
  "user.created": "Person added",
  "user.joined": "Person joined from another organization",
  "user.role_changed": "Role changed",
  "user.removed": "Person removed",
  "login_link.created": "Sign-in link created",
  "session.started": "Signed in",
  "session.revoked": "Session ended",
  "api_key.created": "API key created",
  "api_key.revoked": "API key revoked",
  "template.imported": "Template imported",
  "template.created": "Template created",
  "template.redefined": "Template changed",
  "template.draft_discarded": "Draft of a template discarded",
  "template.trashed": "Template moved to trash",
  "template.restored": "Template restored",
  "asset.created": "Asset uploaded",
  "asset.trashed": "Asset moved to trash",
  "asset.restored": "Asset restored",
  "asset.deleted": "Asset deleted permanently",
  "link.created": "Button link created",
  "link.revoked": "Button link revoked",
  "signature.canceled": "Signature request canceled",
  "signature.resent": "Signature request sent again",
  "webhook.created": "Webhook added",
  "webhook.changed": "Webhook changed",
  "webhook.deleted": "Webhook deleted",
  "webhook.secret_rotated": "Webhook secret rotated",
  "webhook.disabled": "Webhook disabled",
  "connection.created": "Connection added",
  "connection.changed": "Connection changed",
  "connection.deleted": "Connection deleted",
  "connection.resealed": "Connection credentials re-encrypted",
};

/** Groups of actions in the filter, by the resource they concern. */
const actGroups: readonly [name: string, things: readonly string[]][] = [
  ["People", ["organization", "user", "login_link", "session"]],
  ["API keys", ["api_key"]],
  ["Templates", ["template"]],
  ["Assets", ["asset"]],
  ["Buttons", ["link"]],
  ["Signatures", ["signature"]],
  ["Webhooks", ["webhook"]],
  ["Connections", ["connection"]],
];

function wordsOfAct(action: string): string {
  return (
    Object.entries(actWords).find(([one]) => one === action)?.[1] ?? action
  );
}

const doors: Record<AuditLine["origin"], string> = {
  studio: "in the studio",
  rest: "via the API",
  mcp: "via an assistant",
  cli: "on the command line",
  service: "by itself",
};

/** Such as "Ada, over the API with the key Shop". */
function whoOf({ person, key, origin }: AuditLine): string {
  const nobody = origin === "service" ? "The service" : "The operator";
  const name = person?.name ?? nobody;
  return `${name}, ${doors[origin]}${key === null ? "" : ` with the key ${key}`}`;
}

/** Details of an entry, such as "as editor"; empty if there are none. */
function moreOf({ details }: AuditLine): string {
  const { from, to, role, version, way } = details ?? {};
  if (typeof from === "string" && typeof to === "string")
    return `from ${from} to ${to}`;
  if (typeof role === "string") return `as ${role}`;
  if (typeof version === "number") return `version ${version}`;
  if (way === "link") return "by a link";
  return way === "openid" ? "by single sign-on" : "";
}
