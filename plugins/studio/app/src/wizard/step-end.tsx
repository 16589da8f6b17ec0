import type { ComponentChildren } from "preact";
import { Link } from "../link.js";
import { Icon } from "../ui/icon.js";
import { addressOf, type Choice } from "./choice.js";
import { type Step, stepBefore } from "./steps.js";

interface StepEndProps {
  step: Step;
  choice: Choice;
  /** What leads on. */
  children?: ComponentChildren;
}

/** The end of a step: back, and on. */
export function StepEnd({ step, choice, children }: StepEndProps) {
  const before = stepBefore(step);
  return (
    <div class="step-end">
      {before && (
        <Link class="button" to={addressOf(before, choice)}>
          <Icon name="back" size={16} />
          Back
        </Link>
      )}
      <div class="row">{children}</div>
    </div>
  );
}
