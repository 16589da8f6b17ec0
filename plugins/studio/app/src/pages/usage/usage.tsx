import { ask } from "../../api.js";
import { countOf } from "../../format.js";
import { useResource } from "../../resource.js";
import { place, setQuery } from "../../router.js";
import { Bones } from "../../ui/bones.js";
import { Button } from "../../ui/button.js";
import { Icon } from "../../ui/icon.js";
import { Empty, Fault } from "../../ui/notice.js";
import { PageTitle } from "../../ui/page-title.js";
import { UsagePlot } from "./usage-plot.js";
import { UsageTable } from "./usage-table.js";

interface Usage {
  month: string;
  days: { day: string; documents: number }[];
}

const monthName = new Intl.DateTimeFormat(undefined, {
  month: "long",
  year: "numeric",
  timeZone: "UTC",
});

export function UsagePage() {
  const now = new Date().toISOString().slice(0, 7);
  const asked = place.value.searchParams.get("month");
  const month = /^\d{4}-(0[1-9]|1[0-2])$/.test(asked ?? "") ? asked : now;
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
      <PageTitle
        title="Usage"
        lead="Documents that were made. Tests and failures count nothing; days are in UTC."
      />
      <div class="bar">
        <Button isIcon label="The month before" onPress={() => turn(-1)}>
          <Icon name="back" />
        </Button>
        <h2 class="month" aria-live="polite">
          {monthName.format(new Date(`${month}-01`))}
        </h2>
        {month < now && (
          <Button isIcon label="The month after" onPress={() => turn(1)}>
            <Icon name="next" />
          </Button>
        )}
      </div>
      {fault && (
        <Fault
          what="The usage could not be read"
          why={fault}
          onRetry={reload}
        />
      )}
      {!isCurrent && !fault && <Bones count={3} />}
      {data && isCurrent && !fault && <Made usage={data} />}
    </>
  );
}

function Made({ usage: { month, days } }: { usage: Usage }) {
  const total = days.reduce((sum, { documents }) => sum + documents, 0);
  if (total === 0)
    return (
      <Empty icon="usage" title="Nothing was made in this month">
        <p>Each document that is not a test counts one.</p>
      </Empty>
    );
  const counts = countsOf(month, days);
  return (
    <section class="card padded stack" aria-label="By day">
      <p class="total">{countOf(total, "document")}</p>
      <UsagePlot counts={counts} />
      <UsageTable month={month} counts={counts} />
    </section>
  );
}

/** How many on each day of the month, from the first on. */
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
