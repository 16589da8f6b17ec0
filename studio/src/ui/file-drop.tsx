import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Icon } from "./icon.js";

interface FileDropProps {
  /** The words of its button. */
  label: string;
  /** Endings, as of an input. */
  accept: string;
  onFile: (file: File) => void;
  children: ComponentChildren;
}

/** Takes one file, which is dropped on it or chosen. */
export function FileDrop({ label, accept, onFile, children }: FileDropProps) {
  const [isOver, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    setOver(false);
    const [file] = event.dataTransfer?.files ?? [];
    if (!file) return;
    event.preventDefault();
    onFile(file);
  };
  return (
    <div
      class={`card file-drop ${isOver ? "over" : ""}`}
      onDragOver={(event) => {
        if (!event.dataTransfer?.types.includes("Files")) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      {children}
      <label class="button upload">
        <Icon name="upload" />
        {label}
        <input
          class="hidden-text"
          type="file"
          accept={accept}
          onChange={({ currentTarget }) => {
            const [file] = currentTarget.files ?? [];
            if (file) onFile(file);
            // Allows choosing the same file again.
            currentTarget.value = "";
          }}
        />
      </label>
    </div>
  );
}
