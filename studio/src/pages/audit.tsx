import type {
  AuditEntry,
  PersonInfo,
  AuditAction,
} from "../../../core/accounts/views.js";
import { ask } from "../api.js";
import { agoOf, dayIn, momentOf } from "../format.js";
import { Link, place, setQuery } from "../router.js";
import { OwnersOnly, roleNames } from "../session.js";
import { type ListPage, listShown, useResource } from "../resource.js";
import { Button } from "../ui/button.js";
import { Icon, type IconName } from "../ui/icon.js";
import { Field } from "../ui/form.js";
import { Empty } from "../ui/notice.js";
import { PageTitle } from "../ui/page-title.js";
import { pageIn, PagedList } from "../ui/list.js";
import { t } from "../messages/index.js";

export function AuditPage() {
  return (
    <OwnersOnly title={t("shell.auditLog")}>
      <Log />
    </OwnersOnly>
  );
}

function Log() {
  const { searchParams } = place.value;
  const query = queryOf(searchParams, pageIn(searchParams));
  const log = useResource(query, () =>
    ask<ListPage<AuditEntry>>(`audit?${query}`),
  );
  return (
    <>
      <PageTitle title={t("shell.auditLog")} lead={t("audit.lead")} />
      <AuditFilters />
      <PagedList
        resource={{ ...log, data: listShown(log) }}
        what={t("audit.couldntLoadLog")}
        empty={
          <Empty icon="audit" title={t("audit.noMatchingEntries")}>
            <p>{t("audit.noMatchesHelp")}</p>
          </Empty>
        }
      >
        {(line) => <ActLine line={line} key={line.id} />}
      </PagedList>
    </>
  );
}

/** The days in the URL are local days, both inclusive. */
function queryOf(searchParams: URLSearchParams, page: number): string {
  const from = dayIn(searchParams.get("from"), 0);
  const until = dayIn(searchParams.get("to"), 1);
  return new URLSearchParams({
    page: String(page),
    action: searchParams.get("action") ?? "",
    ...(searchParams.has("person") && {
      userId: searchParams.get("person") ?? "",
    }),
    ...(from && { from }),
    ...(until && { until }),
  }).toString();
}

const names = ["action", "person", "from", "to"] as const;

/** The filters are kept in the URL. */
function AuditFilters() {
  const { searchParams } = place.value;
  const isAsked = names.some((name) => searchParams.has(name));
  return (
    <div class="bar filter-bar">
      <Field label={t("audit.what")}>
        <Acts {...fieldOf("action")} />
      </Field>
      <Field label={t("audit.who")}>
        <People {...fieldOf("person")} />
      </Field>
      <Field label={t("webhooks.from")}>
        <input type="date" {...fieldOf("from")} />
      </Field>
      <Field label={t("webhooks.to")}>
        <input type="date" {...fieldOf("to")} />
      </Field>
      {isAsked && (
        <Button
          kind="quiet"
          onPress={() =>
            setQuery({ action: "", person: "", from: "", to: "", page: "" })
          }
        >
          {t("audit.showAll")}
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

function People(props: FieldProps) {
  const people = useResource("", () => ask<PersonInfo[]>("people"));
  return (
    <select {...props}>
      <option value="">{t("audit.everyone")}</option>
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
      <option value="">{t("audit.allActions")}</option>
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
  assistant: "assistant",
  template: "templates",
  asset: "image",
  sequence: "number",
  link: "open",
  signature: "edit",
  webhook: "webhooks",
  connection: "connections",
};

function ActLine({ line }: { line: AuditEntry }) {
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

function Subject({ line: { action, subject } }: { line: AuditEntry }) {
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
  "organization.created": t("audit.organizationCreated"),
  "organization.changed": t("audit.organizationChanged"),
  "user.created": t("audit.personAdded"),
  "user.joined": t("audit.personJoinedFromAnotherOrganization"),
  "user.role_changed": t("audit.roleChanged"),
  "user.removed": t("audit.personRemoved"),
  "login_link.created": t("audit.signInLinkCreated"),
  "session.started": t("audit.signedIn"),
  "session.revoked": t("audit.sessionEnded"),
  "api_key.created": t("audit.apiKeyCreated"),
  "api_key.revoked": t("audit.apiKeyRevoked"),
  "assistant.connected": t("audit.assistantConnected"),
  "assistant.revoked": t("audit.assistantDisconnected"),
  "template.imported": t("audit.templateImported"),
  "template.created": t("audit.templateCreated"),
  "template.redefined": t("audit.templateChanged"),
  "template.draft_discarded": t("audit.draftOfTemplateDiscarded"),
  "template.trashed": t("audit.templateMovedToTrash"),
  "template.restored": t("audit.templateRestored"),
  "partial.created": t("audit.blockCreated"),
  "partial.changed": t("audit.blockChanged"),
  "partial.deleted": t("audit.blockDeleted"),
  "brand.changed": t("audit.brandChanged"),
  "sequence.changed": t("audit.sequenceChanged"),
  "signing_certificate.changed": t("audit.certificateChanged"),
  "signing_certificate.deleted": t("audit.certificateDeleted"),
  "signing_certificate.resealed": t("audit.certificateResealed"),
  "asset.created": t("audit.assetUploaded"),
  "asset.trashed": t("audit.assetMovedToTrash"),
  "asset.restored": t("audit.assetRestored"),
  "asset.deleted": t("audit.assetDeletedPermanently"),
  "link.created": t("audit.buttonLinkCreated"),
  "link.changed": t("audit.buttonLinkChanged"),
  "link.revoked": t("audit.buttonLinkRevoked"),
  "automation.created": t("audit.automationCreated"),
  "automation.changed": t("audit.automationChanged"),
  "automation.paused": t("audit.automationPaused"),
  "automation.deleted": t("audit.automationDeleted"),
  "automation.started": t("audit.automationStarted"),
  "signature.canceled": t("audit.signatureRequestCanceled"),
  "signature.resent": t("audit.signatureRequestSentAgain"),
  "webhook.created": t("audit.webhookAdded"),
  "webhook.changed": t("audit.webhookChanged"),
  "webhook.deleted": t("audit.webhookDeleted"),
  "webhook.secret_rotated": t("audit.webhookSecretRotated"),
  "webhook.disabled": t("audit.webhookDisabled"),
  "connection.created": t("audit.connectionAdded"),
  "connection.changed": t("audit.connectionChanged"),
  "connection.deleted": t("audit.connectionDeleted"),
  "connection.resealed": t("audit.connectionCredentialsReEncrypted"),
};

/** Groups of actions in the filter, by the resource they concern. */
const actGroups: readonly [name: string, things: readonly string[]][] = [
  [t("shell.people"), ["organization", "user", "login_link", "session"]],
  [t("shell.apiKeys"), ["api_key"]],
  [t("shell.assistants"), ["assistant"]],
  [t("shell.templates"), ["template", "partial", "brand"]],
  [t("shell.assets"), ["asset"]],
  [t("shell.numbers"), ["sequence"]],
  [t("shell.buttons"), ["link"]],
  [t("automations.title"), ["automation"]],
  [t("page.signatures"), ["signature"]],
  [t("shell.webhooks"), ["webhook"]],
  [t("shell.connections"), ["connection"]],
];

function wordsOfAct(action: string): string {
  return (
    Object.entries(actWords).find(([key]) => key === action)?.[1] ?? action
  );
}

const doors: Record<AuditEntry["origin"], string> = {
  studio: t("audit.inStudio"),
  rest: t("audit.viaApi"),
  mcp: t("audit.viaAssistant"),
  cli: t("audit.onCommandLine"),
  service: t("audit.automatically"),
};

/** Such as "Ada, over the API with the key Shop". */
function whoOf({ person, key, origin }: AuditEntry): string {
  const nobody = origin === "service" ? t("audit.system") : t("audit.operator");
  const name = person?.name ?? nobody;
  const where = doors[origin];
  return key === null
    ? t("audit.actor", { name, where })
    : t("audit.actorWithKey", { name, where, key });
}

/** Details of an entry, such as "as editor"; empty if there are none. */
function moreOf({ details }: AuditEntry): string {
  const { from, to, role, version, way, name, before, next } = details ?? {};
  if (typeof name === "string" && typeof next === "number")
    return `${name}: ${t("audit.fromFromToTo", { from: String(before), to: String(next) })}`;
  if (typeof from === "string" && typeof to === "string")
    return t("audit.fromFromToTo", { from: nameRole(from), to: nameRole(to) });
  if (typeof role === "string")
    return t("audit.asRole", { role: nameRole(role) });
  if (typeof version === "number")
    return t("versions.versionVersion", { version });
  if (way === "link") return t("audit.byLink");
  return way === "openid" ? t("audit.bySingleSignOn") : "";
}

/** Entries of earlier versions may contain other roles. */
function nameRole(role: string): string {
  return new Map(Object.entries(roleNames)).get(role) ?? role;
}
