import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { Uploads } from "./use-uploads.js";

interface DropZoneProps {
  /** null: nothing may be dropped here. */
  uploads: Uploads | null;
  children: ComponentChildren;
}

/** Takes files that are let go over it. */
export function DropZone({ uploads, children }: DropZoneProps) {
  const [isOver, setOver] = useState(false);
  if (!uploads) return <div class="drop-zone">{children}</div>;
  const over = (event: DragEvent) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    setOver(true);
  };
  const drop = (event: DragEvent) => {
    setOver(false);
    const files = [...(event.dataTransfer?.files ?? [])];
    if (files.length === 0) return;
    event.preventDefault();
    void uploads.add(files);
  };
  return (
    <div
      class={`drop-zone ${isOver ? "over" : ""}`}
      onDragOver={over}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      {children}
    </div>
  );
}
