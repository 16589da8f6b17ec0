import type { AuditLine } from "../../../../../../core/plugin-api/app-audit.js";
import { ask } from "../../api.js";
import { OwnersOnly } from "../../owners-only.js";
import { listShown } from "../../paged.js";
import { useResource } from "../../resource.js";
import { place } from "../../router.js";
import { Bones } from "../../ui/bones.js";
import { Empty, Fault } from "../../ui/notice.js";
import { PageTitle } from "../../ui/page-title.js";
import { pageIn, Pages } from "../../ui/pages.js";
import "./audit.css";
import { AuditFilters } from "./audit-filters.js";
import { ActLine } from "./audit-line.js";

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
        lead="Who changed what in your organization, the newest first. Nothing here can be changed."
      />
      <AuditFilters />
      {fault && (
        <Fault what="The log could not be read" why={fault} onRetry={reload} />
      )}
      {!data && !fault && <Bones />}
      {data?.total === 0 && (
        <Empty icon="audit" title="Nothing was noted">
          <p>Choose other days, another person, or everything.</p>
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

/** Days of the address are those of the person's clock, both included. */
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

/** The beginning of a day, such as 2026-07-31, or of one some days later; null for what is none. */
function dayIn(said: string | null, daysLater: number): string | null {
  const match = /^(\d{4})-(\d\d)-(\d\d)$/.exec(said ?? "");
  if (!match) return null;
  const [year, month, day] = match.slice(1).map(Number);
  const time = new Date(year ?? 0, (month ?? 1) - 1, (day ?? 1) + daysLater);
  return time.toISOString();
}
