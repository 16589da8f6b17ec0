import { clock } from "../../../core/lib/clock.js";
import { ask } from "../api.js";
import { dayOf, numberOf } from "../format.js";
import { useResource } from "../resource.js";
import { place, setQuery } from "../router.js";
import { LoadStatus } from "../ui/loading.js";
import { Button } from "../ui/button.js";
import { Icon } from "../ui/icon.js";
import { Empty } from "../ui/notice.js";
import { PageTitle } from "../ui/page-title.js";
import { locale, t } from "../messages/index.js";

interface Usage {
  month: string;
  days: { day: string; documents: number }[];
}

const monthName = new Intl.DateTimeFormat(locale, {
  month: "long",
  year: "numeric",
  timeZone: "UTC",
});

export function UsagePage() {
  const now = clock.date().toISOString().slice(0, 7);
  const requestedMonth = place.value.searchParams.get("month");
  const month = /^\d{4}-(0[1-9]|1[0-2])$/.test(requestedMonth ?? "")
    ? requestedMonth
    : now;
  return <Month month={month ?? now} now={now} />;
}

function Month({ month, now }: { month: string; now: string }) {
  const usage = useResource(month, () => ask<Usage>(`usage?month=${month}`));
  const { data, isCurrent, fault, reload } = usage;
  const turn = (months: number) => {
    const to = monthAfter(month, months);
    setQuery({ month: to === now ? "" : to });
  };
  return (
    <>
      <PageTitle title={t("shell.usage")} lead={t("usage.lead")} />
      <div class="bar">
        <Button
          isIcon
          label={t("usage.previousMonth")}
          onPress={() => turn(-1)}
        >
          <Icon name="back" />
        </Button>
        <h2 class="month" aria-live="polite">
          {monthName.format(new Date(`${month}-01`))}
        </h2>
        {month < now && (
          <Button isIcon label={t("usage.nextMonth")} onPress={() => turn(1)}>
            <Icon name="next" />
          </Button>
        )}
      </div>
      <LoadStatus
        resource={{ data: isCurrent ? data : null, fault, reload }}
        what={t("usage.couldntLoadUsage")}
        count={3}
      />
      {data && isCurrent && !fault && <Made usage={data} />}
    </>
  );
}

function Made({ usage: { month, days } }: { usage: Usage }) {
  const total = days.reduce((sum, { documents }) => sum + documents, 0);
  if (total === 0)
    return (
      <Empty icon="usage" title={t("usage.noDocumentsThisMonth")}>
        <p>{t("usage.documentsAppearHere")}</p>
      </Empty>
    );
  const counts = countsOf(month, days);
  return (
    <section class="card padded stack" aria-label={t("usage.byDay")}>
      <p class="total">{t("common.countDocuments", { count: total })}</p>
      <UsagePlot counts={counts} />
      <UsageTable month={month} counts={counts} />
    </section>
  );
}

/** The number of documents for each day of the month. */
function countsOf(month: string, days: Usage["days"]): number[] {
  const last = new Date(`${monthAfter(month, 1)}-01`);
  last.setUTCDate(0);
  const counts = Array.from({ length: last.getUTCDate() }, () => 0);
  for (const { day, documents } of days)
    counts[Number(day.slice(8)) - 1] = documents;
  return counts;
}

function monthAfter(month: string, months: number): string {
  const date = new Date(`${month}-01`);
  date.setUTCMonth(date.getUTCMonth() + months);
  return date.toISOString().slice(0, 7);
}

const width = 720;
const height = 240;
const left = 48;
const bottom = 26;
const top = 10;

/** Hidden from screen readers, which read the table instead. */
function UsagePlot({ counts }: { counts: readonly number[] }) {
  const most = niceTop(Math.max(...counts));
  const step = (width - left) / counts.length;
  const yOf = (count: number) =>
    top + (height - top - bottom) * (1 - count / most);
  return (
    <div
      class="plot"
      role="group"
      aria-label={t("usage.chartOfMonth")}
      tabIndex={0}
    >
      <svg viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
        <Scale most={most} yOf={yOf} />
        {counts.map((count, index) => (
          <g key={index}>
            <rect
              class="bar-mark"
              x={left + index * step + step * 0.16}
              y={yOf(count)}
              width={step * 0.68}
              height={yOf(0) - yOf(count)}
              rx={2}
            >
              <title>{`${index + 1}: ${t("common.countDocuments", { count })}`}</title>
            </rect>
            {isNamed(index) && (
              <text
                x={left + (index + 0.5) * step}
                y={height - 6}
                text-anchor="middle"
              >
                {index + 1}
              </text>
            )}
          </g>
        ))}
      </svg>
    </div>
  );
}

function Scale({
  most,
  yOf,
}: {
  most: number;
  yOf: (count: number) => number;
}) {
  const parts = most % 4 === 0 ? 4 : most % 5 === 0 ? 5 : most;
  const marks = Array.from(
    { length: parts + 1 },
    (_, index) => (most / parts) * index,
  );
  return (
    <>
      {marks.map((mark) => (
        <g key={mark}>
          <line x1={left} x2={width} y1={yOf(mark)} y2={yOf(mark)} />
          <text x={left - 8} y={yOf(mark) + 4} text-anchor="end">
            {numberOf(mark)}
          </text>
        </g>
      ))}
    </>
  );
}

/** The first day and every fifth, since there is no space for more. */
function isNamed(index: number): boolean {
  return index === 0 || (index + 1) % 5 === 0;
}

/** The maximum of the axis: the count rounded up to a round number. */
function niceTop(most: number): number {
  const size = 10 ** Math.floor(Math.log10(Math.max(most, 1)));
  const factor =
    [1, 2, 4, 5, 8, 10].find((candidate) => candidate * size >= most) ?? 10;
  return Math.max(factor * size, 4);
}

interface UsageTableProps {
  /** Such as 2026-07. */
  month: string;
  counts: readonly number[];
}

/** Only days with documents. */
function UsageTable({ month, counts }: UsageTableProps) {
  const days = counts
    .map((count, index) => ({ count, day: index + 1 }))
    .filter(({ count }) => count > 0);
  return (
    <details>
      <summary>{t("usage.asTable")}</summary>
      <table class="table">
        <thead>
          <tr>
            <th scope="col">{t("usage.day")}</th>
            <th scope="col">{t("shell.documents")}</th>
          </tr>
        </thead>
        <tbody>
          {days.map(({ count, day }) => (
            <tr key={day}>
              <th scope="row">{dayName(month, day)}</th>
              <td>{numberOf(count)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

/** At noon, so that a UTC day keeps its date in the local time zone. */
function dayName(month: string, day: number): string {
  return dayOf(`${month}-${String(day).padStart(2, "0")}T12:00`);
}
