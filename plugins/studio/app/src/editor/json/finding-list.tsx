import type { DraftFacts } from "../../../../../../core/plugin-api/app-drafts.js";
import type { Problem } from "../../../../../../core/plugin-api/errors.js";
import { countOf } from "../../format.js";
import { Icon } from "../../ui/icon.js";

interface FindingListProps {
  /** Null: the checker has not answered yet. */
  facts: DraftFacts | null;
  onGo: (jsonPath: string) => void;
}

/** What the service's own checker says: the same as programs and assistants are told. */
export function FindingList({ facts, onGo }: FindingListProps) {
  if (!facts) return <p class="muted">Checking…</p>;
  const { problems, warnings } = facts;
  if (problems.length + warnings.length === 0)
    return (
      <p class="all-well">
        <Icon name="check" size={18} />
        No problems
      </p>
    );
  return (
    <>
      <Findings
        title={countOf(problems.length, "problem")}
        tone="bad"
        list={problems}
        onGo={onGo}
      />
      <Findings
        title={countOf(warnings.length, "warning")}
        tone="warn"
        list={warnings}
        onGo={onGo}
      />
    </>
  );
}

interface FindingsProps {
  title: string;
  tone: "bad" | "warn";
  list: readonly Problem[];
  onGo: (jsonPath: string) => void;
}

function Findings({ title, tone, list, onGo }: FindingsProps) {
  if (list.length === 0) return null;
  return (
    <section>
      <h2 class={`finding-title ${tone}`}>{title}</h2>
      <ul class="finding-list">
        {list.map(({ path, code, message, hint }) => (
          <li key={`${path} ${code} ${message}`}>
            <button type="button" onClick={() => onGo(path)}>
              <code>{path}</code>
              <span>{message}</span>
              {hint && <span class="muted">{hint}</span>}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
