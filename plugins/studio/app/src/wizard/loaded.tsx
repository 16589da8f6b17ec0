import type { ComponentChildren } from "preact";
import type { Resource } from "../resource.js";
import { Bones } from "../ui/bones.js";
import type { Choice } from "./choice.js";
import { Refused } from "./refused.js";
import type { Step } from "./steps.js";

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
