import { Icon } from "../../ui/icon.js";
import type { Target } from "./targets.js";

interface TargetChoiceProps {
  targets: Target[];
  onChoose: (target: Target) => void;
}

/** All that a connection can lead to; those that are broken with the reason. */
export function TargetChoice({ targets, onChoose }: TargetChoiceProps) {
  const kinds = [
    ["platform", "Records"],
    ["esign", "Signatures"],
  ] as const;
  const shown = kinds.filter(([kind]) =>
    targets.some((one) => one.kind === kind),
  );
  return (
    <div class="stack">
      {shown.map(([kind, words]) => (
        <section class="stack close" key={kind} aria-label={words}>
          {shown.length > 1 && <h3>{words}</h3>}
          <ul class="targets">
            {targets
              .filter((one) => one.kind === kind)
              .map((one) => (
                <li key={one.id}>
                  {one.state === "ready" ? (
                    <button
                      type="button"
                      class="target"
                      onClick={() => onChoose(one)}
                    >
                      {one.title}
                      <Icon name="next" size={16} />
                    </button>
                  ) : (
                    <p class="small muted">
                      {one.title}: {one.reason}
                    </p>
                  )}
                </li>
              ))}
          </ul>
        </section>
      ))}
    </div>
  );
}
