import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Resource } from "../resource.js";
import { Link } from "../router.js";
import { Button } from "../ui/button.js";
import { Icon } from "../ui/icon.js";
import { Bones } from "../ui/loading.js";
import { Notice } from "../ui/notice.js";
import {
  type Choice,
  type Step,
  addressOf,
  stepWords,
  stepBefore,
} from "./steps.js";

interface LoadedProps<T> {
  resource: Resource<T>;
  /** What is said when it cannot be read. */
  what: string;
  /** The step in which that can be mended. */
  mend: Step;
  choice: Choice;
  children: (data: T) => ComponentChildren;
}

/** Something that is read first: where it will be, why it cannot be read, and at last itself. */
export function Loaded<T>(props: LoadedProps<T>) {
  const { resource, what, mend, choice, children } = props;
  const { data, fault, reload } = resource;
  return (
    <>
      {fault !== null && (
        <Refused
          what={what}
          why={fault}
          mend={mend}
          choice={choice}
          onRetry={reload}
        />
      )}
      {data === null && fault === null && <Bones count={3} />}
      {data !== null && children(data)}
    </>
  );
}

interface RefusedProps {
  what: string;
  why: string;
  /** The step in which it can be mended. */
  mend: Step;
  choice: Choice;
  onRetry: () => unknown;
}

/** Something went wrong, and where to mend it. */
function Refused({ what, why, mend, choice, onRetry }: RefusedProps) {
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

interface OptionButtonProps {
  title: string;
  /** What is chosen now. */
  isChosen?: boolean;
  badge?: ComponentChildren;
  children?: ComponentChildren;
  onPick: () => void;
}

/** One of several to choose from; choosing leads on. */
export function OptionButton({
  title,
  isChosen,
  badge,
  children,
  onPick,
}: OptionButtonProps) {
  return (
    <button
      type="button"
      class="pick"
      aria-current={isChosen ? "true" : undefined}
      onClick={onPick}
    >
      <span class="words">
        <span class="strong">{title}</span>
        {children}
      </span>
      {badge}
      <Icon name={isChosen ? "check" : "next"} size={16} />
    </button>
  );
}

interface FocusedHeadingProps {
  id: string;
  children: ComponentChildren;
}

/** The heading of what takes the place of something that was just pressed: the focus goes on from here. */
export function FocusedHeading({ id, children }: FocusedHeadingProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <h2 id={id} tabIndex={-1} ref={heading}>
      {children}
    </h2>
  );
}
