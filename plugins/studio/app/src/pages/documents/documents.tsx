import type { DocumentLine as Line } from "../../../../../../core/plugin-api/app-lists.js";
import { ask } from "../../api.js";
import { useLive } from "../../live.js";
import { listShown } from "../../paged.js";
import { useResource } from "../../resource.js";
import { place, setQuery } from "../../router.js";
import { Bones } from "../../ui/bones.js";
import { Button } from "../../ui/button.js";
import { Choices } from "../../ui/choices.js";
import { Empty, Fault } from "../../ui/notice.js";
import { PageTitle } from "../../ui/page-title.js";
import { pageIn, Pages } from "../../ui/pages.js";
import { DocumentLine } from "./document-line.js";

type Show = "all" | "open" | "succeeded" | "failed" | "expired";

const shows: [Show, string][] = [
  ["all", "All"],
  ["open", "In progress"],
  ["succeeded", "Made"],
  ["failed", "Failed"],
  ["expired", "Expired"],
];

const statuses: Record<Show, readonly string[]> = {
  all: [],
  open: ["queued", "rendering"],
  succeeded: ["succeeded"],
  failed: ["failed"],
  expired: ["expired"],
};

interface Log {
  data: Line[];
  total: number;
}

/** What the address asks for. */
function asked() {
  const { searchParams } = place.value;
  const show = shows.find(([one]) => one === searchParams.get("show"))?.[0];
  const page = pageIn(searchParams);
  const templateId = searchParams.get("template");
  return { show: show ?? "all", page, templateId };
}

function queryOf({ show, page, templateId }: ReturnType<typeof asked>): string {
  return new URLSearchParams([
    ["page", String(page)],
    ...(templateId === null ? [] : [["templateId", templateId]]),
    ...statuses[show].map((status) => ["status", status]),
  ]).toString();
}

export function DocumentsPage() {
  const wanted = asked();
  const query = queryOf(wanted);
  const log = useResource(query, () => ask<Log>(`documents?${query}`));
  const shown = listShown(log);
  useLive(log.reload);
  return (
    <>
      <PageTitle
        title="Documents"
        lead="What became of every request, the newest first. The list keeps itself up to date."
      />
      <Filters {...wanted} />
      {log.fault && (
        <Fault
          what="The documents could not be read"
          why={log.fault}
          onRetry={log.reload}
        />
      )}
      {!shown && !log.fault && <Bones />}
      {shown && <Lines log={shown} {...wanted} />}
    </>
  );
}

function Filters({ show, templateId }: ReturnType<typeof asked>) {
  return (
    <div class="bar">
      <Choices
        legend="Which documents"
        options={shows}
        value={show}
        onChoose={(one) =>
          setQuery({ show: one === "all" ? "" : one, page: "" })
        }
      />
      {templateId !== null && (
        <Button onPress={() => setQuery({ template: "", page: "" })}>
          Of one template: show those of all
        </Button>
      )}
    </div>
  );
}

function Lines({ log, show, page }: { log: Log; show: Show; page: number }) {
  if (log.total === 0)
    return (
      <Empty
        icon="documents"
        title={show === "all" ? "No documents yet" : "No such documents"}
      >
        <p>
          {show === "all"
            ? "Open a template and make one; those that programs make are listed here too."
            : "Others are behind the other filters."}
        </p>
      </Empty>
    );
  return (
    <>
      <ul class="card lines">
        {log.data.map((line) => (
          <DocumentLine line={line} key={line.id} />
        ))}
      </ul>
      <Pages page={page} total={log.total} what="documents" />
    </>
  );
}
