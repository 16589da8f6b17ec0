import { Link } from "../link.js";
import { Icon } from "../ui/icon.js";
import { addressOf, type Choice } from "./choice.js";
import { isOpen, type Step, STEPS, stepWords } from "./steps.js";

interface RailProps {
  step: Step;
  choice: Choice;
}

/** All steps: those that can be gone to are links. On a phone, how far it is. */
export function Rail({ step, choice }: RailProps) {
  const here = STEPS.indexOf(step);
  return (
    <nav class="rail" aria-label="Steps">
      <p class="rail-short small muted">
        Step {here + 1} of {STEPS.length}
      </p>
      <ol>
        {STEPS.map((one, at) => (
          <li
            key={one}
            class={at === here ? "here" : at < here ? "done" : undefined}
          >
            <RailEntry {...{ one, at, here, choice }} />
          </li>
        ))}
      </ol>
    </nav>
  );
}

interface RailEntryProps {
  one: Step;
  at: number;
  here: number;
  choice: Choice;
}

function RailEntry({ one, at, here, choice }: RailEntryProps) {
  const words = (
    <>
      <span class="rail-mark" aria-hidden="true">
        {at < here ? <Icon name="check" size={16} /> : at + 1}
      </span>
      <span class="rail-words">{stepWords[one].short}</span>
    </>
  );
  if (at === here)
    return (
      <span class="rail-entry" aria-current="step">
        {words}
      </span>
    );
  if (!isOpen(one, choice)) return <span class="rail-entry">{words}</span>;
  return (
    <Link class="rail-entry" to={addressOf(one, choice)}>
      {words}
    </Link>
  );
}
