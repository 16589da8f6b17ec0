import { Link } from "../link.js";
import { Notice } from "../ui/notice.js";
import { addressOf, type Choice } from "./choice.js";
import type { Step } from "./steps.js";
import { stepWords } from "./steps.js";

interface MisfitProps {
  title: string;
  why: string;
  choice: Choice;
}

/** Paths into a definition are words for programs. */
const forPrograms = /\$\./;

/** A refusal of what was chosen: in words where it has them, and else where to mend it. */
export function Misfit({ title, why, choice }: MisfitProps) {
  const isTechnical = forPrograms.test(why);
  return (
    <Notice tone="bad" title={title}>
      {isTechnical ? (
        <>
          <p>
            Something that was chosen does not fit the table (any more). Look
            through the fields, and through where the file goes.
          </p>
          <details class="small">
            <summary>What the service says</summary>
            <p>{why}</p>
          </details>
        </>
      ) : (
        <p>{why}</p>
      )}
      <div class="row">
        {(["fields", "file"] satisfies Step[]).map((step) => (
          <Link class="button" to={addressOf(step, choice)} key={step}>
            Back to “{stepWords[step].short}”
          </Link>
        ))}
      </div>
    </Notice>
  );
}
