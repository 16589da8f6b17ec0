import { useEffect, useId, useState } from "preact/hooks";
import type { DocumentStatus } from "../../../core/storage/database/views.js";
import type { DocumentLine as Line } from "../../../core/documents/views.js";
import { clock } from "../../../core/lib/clock.js";
import { ask, askPublic, local } from "../api.js";
import { agoOf, dayIn, momentOf, sizeOf } from "../format.js";
import { Link, place, setQuery } from "../router.js";
import { type ListPage, listShown, useLive, useResource } from "../resource.js";
import { Button } from "../ui/button.js";
import { SearchField, Field, Choices } from "../ui/form.js";
import { Icon } from "../ui/icon.js";
import { Empty, ErrorDetails } from "../ui/notice.js";
import { PageTitle } from "../ui/page-title.js";
import { Badge, pageIn, PagedList } from "../ui/list.js";
import { t } from "../messages/index.js";

type Show = "all" | "open" | "succeeded" | "failed" | "expired";

const shows: [Show, string][] = [
  ["all", t("common.all")],
  ["open", t("common.inProgress")],
  ["succeeded", t("common.done")],
  ["failed", t("common.failed")],
  ["expired", t("common.expired")],
];

const statuses: Record<Show, readonly string[]> = {
  all: [],
  open: ["queued", "rendering"],
  succeeded: ["succeeded"],
  failed: ["failed"],
  expired: ["expired"],
};

/** Reads the URL's query. Its days are local days, both inclusive. */
function readQuery() {
  const { searchParams } = place.value;
  const show = shows.find(([key]) => key === searchParams.get("show"))?.[0];
  return {
    show: show ?? "all",
    page: pageIn(searchParams),
    templateId: searchParams.get("template"),
    q: searchParams.get("q") ?? "",
    from: dayIn(searchParams.get("from"), 0),
    until: dayIn(searchParams.get("to"), 1),
  };
}

function queryOf(wanted: ReturnType<typeof readQuery>): string {
  const { show, page, templateId, q, from, until } = wanted;
  return new URLSearchParams([
    ["page", String(page)],
    ...(templateId === null ? [] : [["templateId", templateId]]),
    ...(q === "" ? [] : [["q", q]]),
    ...(from === null ? [] : [["from", from]]),
    ...(until === null ? [] : [["until", until]]),
    ...statuses[show].map((status) => ["status", status]),
  ]).toString();
}

export function DocumentsPage() {
  const wanted = readQuery();
  const query = queryOf(wanted);
  const log = useResource(query, () =>
    ask<ListPage<Line>>(`documents?${query}`),
  );
  useLive("documents", log.reload);
  const { show, templateId, q, from, until } = wanted;
  const isFiltered =
    show !== "all" || q !== "" || (templateId ?? from ?? until) !== null;
  return (
    <>
      <PageTitle title={t("shell.documents")} lead={t("documents.lead")} />
      <Filters show={show} isFiltered={isFiltered} />
      {q !== "" && (log.data?.total ?? 0) >= maxMatches && (
        <p class="muted small" role="status">
          {t("documents.onlyNewest", { maximum: maxMatches })}
        </p>
      )}
      <PagedList
        resource={{ ...log, data: listShown(log) }}
        what={t("batches.couldntLoadDocuments")}
        empty={<NoDocuments isFiltered={isFiltered} />}
      >
        {(line) => <DocumentLine line={line} key={line.id} />}
      </PagedList>
    </>
  );
}

/** A search lists the newest of more. */
const maxMatches = 1000;

const searchDelayMs = 250;

/** The filters are kept in the URL. */
function Filters({ show, isFiltered }: { show: Show; isFiltered: boolean }) {
  const { searchParams } = place.value;
  const [typed, setTyped] = useState(searchParams.get("q") ?? "");
  useEffect(() => {
    if (typed.trim() === (searchParams.get("q") ?? "")) return undefined;
    const timer = clock.after(searchDelayMs, () =>
      setQuery({ q: typed.trim(), page: "" }),
    );
    return () => timer.cancel();
  }, [typed]);
  const dayOf = (name: "from" | "to") => ({
    class: "input",
    type: "date" as const,
    value: searchParams.get(name) ?? "",
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) =>
      setQuery({ [name]: currentTarget.value, page: "" }),
  });
  const showAll = () => {
    setTyped("");
    setQuery({ show: "", q: "", template: "", from: "", to: "", page: "" });
  };
  return (
    <>
      <div class="bar">
        <Choices
          legend={t("documents.filterDocuments")}
          options={shows}
          value={show}
          onChoose={(chosen) =>
            setQuery({ show: chosen === "all" ? "" : chosen, page: "" })
          }
        />
        <SearchField
          words={t("documents.searchDocuments")}
          value={typed}
          onSearch={setTyped}
        />
      </div>
      <div class="bar filter-bar">
        <TemplateFilter id={searchParams.get("template")} />
        <Field label={t("webhooks.from")}>
          <input {...dayOf("from")} />
        </Field>
        <Field label={t("webhooks.to")}>
          <input {...dayOf("to")} />
        </Field>
        {isFiltered && (
          <Button kind="quiet" onPress={showAll}>
            {t("documents.showAll")}
          </Button>
        )}
      </div>
    </>
  );
}

/** A template, found by a part of its name. */
function TemplateFilter({ id }: { id: string | null }) {
  const listId = useId();
  const [typed, setTyped] = useState<string | null>(null);
  const chosen = useResource(id ?? "", async () =>
    id === null ? null : askPublic<{ name: string }>(`templates/${id}`),
  );
  const name = (id !== null && chosen.data?.name) || "";
  const q = typed ?? "";
  const templates = useResource(q, () =>
    ask<ListPage<{ id: string; name: string }>>(
      `templates?q=${encodeURIComponent(q)}`,
    ),
  );
  const type = (text: string) => {
    const match = templates.data?.data.find(
      (template) => template.name === text,
    );
    setTyped(match || text === "" ? null : text);
    if (match || text === "") setQuery({ template: match?.id ?? "", page: "" });
  };
  return (
    <Field label={t("common.template")}>
      <input
        class="input"
        type="search"
        list={listId}
        placeholder={t("documents.allTemplates")}
        value={typed ?? name}
        onInput={({ currentTarget }) => type(currentTarget.value)}
        onBlur={() => setTyped(null)}
      />
      <datalist id={listId}>
        {templates.data?.data.map((template) => (
          <option value={template.name} key={template.id} />
        ))}
      </datalist>
    </Field>
  );
}

function NoDocuments({ isFiltered }: { isFiltered: boolean }) {
  return isFiltered ? (
    <Empty icon="documents" title={t("documents.noMatchingDocuments")}>
      <p>{t("documents.tryAnotherFilter")}</p>
    </Empty>
  ) : (
    <Empty icon="documents" title={t("documents.noDocumentsYet")}>
      <p>{t("documents.noDocumentsHelp")}</p>
      <Link class="button" to="templates">
        {t("shell.goToTemplates")}
      </Link>
    </Empty>
  );
}

const words: Record<DocumentStatus, [tone: string, said: string]> = {
  queued: ["", t("common.queued")],
  rendering: ["info busy", t("common.rendering")],
  succeeded: ["good", t("common.done")],
  failed: ["bad", t("common.failed")],
  expired: ["warn", t("common.expired")],
};

/** A document in the list: what it is, how it went, and its files while there are any. */
export function DocumentLine({ line }: { line: Line }) {
  const [tone, said] =
    line.saveError !== null
      ? ["warn", t("documents.notSaved")]
      : line.deliveryErrors.length > 0
        ? ["warn", t("deliveries.notDelivered")]
        : words[line.status];
  const origin = { ago: agoOf(line.createdAt), name: line.createdBy };
  const hasFiles = Date.parse(line.expiresAt) > clock.now();
  return (
    <li class="line document">
      <div class="words">
        <Link class="strong" to={`templates/${line.template.id}`}>
          {line.fileName ?? line.template.name}
        </Link>
        <span class="muted small" title={momentOf(line.createdAt)}>
          {line.fileName === null
            ? t("documents.agoByName", origin)
            : t("documents.templateAgoByName", {
                ...origin,
                template: line.template.name,
              })}
        </span>
      </div>
      <div class="row">
        {line.isTest && <span class="badge">{t("common.test")}</span>}
        <Badge tone={tone}>{said}</Badge>
      </div>
      <div class="row files">
        {hasFiles &&
          line.outputs.map((output) => (
            <File output={output} key={output.label} />
          ))}
        {!hasFiles && line.status === "succeeded" && (
          <span class="muted small">{t("documents.filesDeleted")}</span>
        )}
      </div>
      {line.error !== null && <ErrorDetails error={line.error} />}
      {line.saveError !== null && <ErrorDetails error={line.saveError} />}
      {line.deliveryErrors.map((error) => (
        <ErrorDetails error={error} key={error} />
      ))}
    </li>
  );
}

const labels: Record<string, string> = {
  pdf: "PDF",
  html: "HTML",
  image: t("common.image"),
  mjml: "MJML",
  xml: "XML",
};

function File({ output }: { output: Line["outputs"][number] }) {
  const { label, url, sizeBytes } = output;
  return (
    <a
      class="button"
      href={local(url)}
      target="_blank"
      rel="noreferrer"
      title={sizeOf(sizeBytes)}
    >
      <Icon name="open" size={16} />
      {labels[label] ?? label}
    </a>
  );
}
