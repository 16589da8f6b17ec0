import { useEffect, useRef } from "preact/hooks";
import { catalogEntry } from "../model/catalog.js";
import { lineage } from "../model/tree.js";
import { useCanvas } from "./canvas-state.js";

/** What is selected, within what it stands. */
export function Breadcrumb() {
  const { editor } = useCanvas();
  const entry = editor.selectedEntry.value;
  const bar = useRef<HTMLElement>(null);
  // Of a long way, its end is what counts.
  useEffect(() => bar.current?.scrollTo({ left: bar.current.scrollWidth }));
  const line = entry ? lineage(editor.tree.value, entry.id) : [];
  const choose = (id: string | null) => () => {
    editor.selected.value = id;
  };
  return (
    <nav
      ref={bar}
      class="canvas-crumbs"
      aria-label="Where the selection stands"
    >
      <button
        type="button"
        aria-current={entry ? undefined : "true"}
        onClick={choose(null)}
      >
        {editor.templateType === "email" ? "Email" : "Page"}
      </button>
      {line.map(({ id, component }) => (
        <button
          type="button"
          key={id}
          aria-current={id === entry?.id ? "true" : undefined}
          onClick={choose(id)}
        >
          {catalogEntry(component.type).words}
        </button>
      ))}
    </nav>
  );
}
