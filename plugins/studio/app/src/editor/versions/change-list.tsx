import { countOf } from "../../format.js";
import { Icon } from "../../ui/icon.js";
import { Empty } from "../../ui/notice.js";
import type { Change, Detail } from "../session/words/compare.js";

interface ChangeListProps {
  changes: readonly Change[];
  /** What was before, and what is after. */
  names: readonly [string, string];
}

const badges = {
  added: ["Added", "good"],
  removed: ["Removed", "bad"],
  moved: ["Moved", "info"],
  changed: ["Changed", "info"],
} as const;

/** What was done to the template in between, component by component. */
export function ChangeList({ changes, names }: ChangeListProps) {
  if (changes.length === 0)
    return (
      <Empty icon="check" title="They are the same">
        <p>Nothing was changed between the two.</p>
      </Empty>
    );
  return (
    <>
      <p class="muted small">
        {countOf(changes.length, "change")} from {names[0].toLowerCase()} to{" "}
        {names[1].toLowerCase()}
      </p>
      <ol class="card change-list">
        {changes.map((change) => (
          <ChangeLine key={`${change.kind} ${change.id}`} change={change} />
        ))}
      </ol>
    </>
  );
}

function ChangeLine({ change }: { change: Change }) {
  const { kind, name, within, details } = change;
  const [words, tone] = badges[kind];
  return (
    <li>
      <span class={`badge ${tone}`}>{words}</span>
      <div class="words">
        <strong>{name}</strong>
        {within > 0 && (
          <span class="muted small">with {countOf(within, "part")} in it</span>
        )}
        {details.map((detail) => (
          <DetailLine key={detail.label} detail={detail} />
        ))}
      </div>
    </li>
  );
}

function DetailLine({ detail }: { detail: Detail }) {
  const { label, before, after } = detail;
  return (
    <p class="change-detail">
      <span class="muted">{label}</span>
      {(before !== "" || after !== "") && (
        <>
          {": "}
          <del>{before}</del> <Icon name="next" size={12} /> <ins>{after}</ins>
        </>
      )}
    </p>
  );
}
