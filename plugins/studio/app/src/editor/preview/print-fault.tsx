import { Notice } from "../../ui/notice.js";
import { useEditor } from "../model/editor-context.js";
import { ProblemList } from "../session/problem-list.js";
import type { PrintTrouble } from "./use-print.js";

/** Why there is no print: what the checker found, with a way to where it is; else what the renderer said. */
export function PrintFault({ why, isOfTemplate }: PrintTrouble) {
  const problems = useEditor().facts.value?.problems ?? [];
  if (!isOfTemplate)
    return (
      <Notice tone="warn" title="It is not printed yet">
        <p>{why}</p>
      </Notice>
    );
  return (
    <Notice tone="bad" title="It cannot be printed as it is">
      {problems.length > 0 ? (
        <ProblemList problems={problems} />
      ) : (
        <MergeFault why={why} />
      )}
    </Notice>
  );
}

/** A merge names the place first: `$.components[2].text: …`. */
function MergeFault({ why }: { why: string }) {
  const [, path, message] =
    /^(\$(?:\.[\w-]+|\[\d+\])+): (.*)$/s.exec(why) ?? [];
  if (path === undefined || message === undefined) return <p>{why}</p>;
  return <ProblemList problems={[{ path, message, code: "merge" }]} />;
}
