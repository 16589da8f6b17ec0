import { dayOf, numberOf } from "../../format.js";

interface UsageTableProps {
  /** Such as 2026-07. */
  month: string;
  counts: readonly number[];
}

/** The plot's figures, for reading and for hearing: the days on which something was made. */
export function UsageTable({ month, counts }: UsageTableProps) {
  const days = counts
    .map((count, index) => ({ count, day: index + 1 }))
    .filter(({ count }) => count > 0);
  return (
    <details>
      <summary>As a table</summary>
      <table class="table">
        <thead>
          <tr>
            <th scope="col">Day</th>
            <th scope="col">Documents</th>
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

/** At noon: days are counted in UTC, and named in the reader's time. */
function dayName(month: string, day: number): string {
  return dayOf(`${month}-${String(day).padStart(2, "0")}T12:00`);
}
