import { Link } from "../link.js";
import { Button } from "../ui/button.js";
import { Notice } from "../ui/notice.js";
import { addressOf, type Choice } from "./choice.js";
import { type Step, stepWords } from "./steps.js";

interface RefusedProps {
  what: string;
  why: string;
  /** The step in which it can be mended. */
  mend: Step;
  choice: Choice;
  onRetry: () => unknown;
}

/** Something went wrong, and where to mend it. */
export function Refused({ what, why, mend, choice, onRetry }: RefusedProps) {
  return (
    <Notice tone="bad" title={what}>
      <p>{why}</p>
      <div class="row">
        <Button onPress={onRetry}>Try again</Button>
        <Link class="button" to={addressOf(mend, choice)}>
          Back to “{stepWords[mend].short}”
        </Link>
      </div>
    </Notice>
  );
}
