import { agoOf, momentOf } from "../../format.js";
import type { Version } from "./version-list.js";

interface VersionLinesProps {
  versions: readonly Version[];
  shownId: string | null;
  onChoose: (id: string) => void;
}

/** One below the other, the newest first. */
export function VersionLines(props: VersionLinesProps) {
  const { versions, shownId, onChoose } = props;
  return (
    <ol class="version-lines">
      {versions.map(({ id, version, description, createdAt, createdBy }) => (
        <li key={id}>
          <button
            type="button"
            aria-pressed={id === shownId}
            onClick={() => onChoose(id)}
          >
            <strong>Version {version}</strong>
            {description !== "" && <span>{description}</span>}
            <span class="muted small" title={momentOf(createdAt)}>
              {createdBy.name}, {agoOf(createdAt)}
            </span>
          </button>
        </li>
      ))}
    </ol>
  );
}
