import { useState } from "preact/hooks";
import type { Look } from "./look.js";
import { Icon } from "../../ui/icon.js";
import { useCanvas } from "./canvas-state.js";
import { printed } from "./printed.js";

interface PictureProps {
  /** Of the component, in whose scope the Templates are. */
  id: string | undefined;
  /** A Template: an asset, a data URL or an address. */
  src: string;
  alt: string;
  look: Pick<Look, "class" | "style">;
}

/** A picture of the template, or a quiet box of its size that says what belongs there. */
export function Picture({ id, src, alt, look }: PictureProps) {
  const { editor } = useCanvas();
  const [broken, setBroken] = useState<string | null>(null);
  const shown = (template: string) =>
    template.includes("{{")
      ? (printed(template, id, editor.facts.value) ?? "")
      : template;
  const address = usePictureAddress(shown(src).trim());
  const words = shown(alt);
  if (address !== null && address !== broken)
    return (
      <img
        {...look}
        src={address}
        alt={words}
        draggable={false}
        onError={() => setBroken(address)}
      />
    );
  return (
    <span {...look} class="picture-place">
      <Icon name="image" size={16} />
      <span>{words || "Picture"}</span>
    </span>
  );
}

/** What the browser can show; null for what is nowhere, or unknown yet. */
export function usePictureAddress(source: string): string | null {
  const canvas = useCanvas();
  const asset = /^asset:(.+)$/.exec(source)?.[1];
  if (asset !== undefined) return canvas.assets.of(asset).value;
  return source.startsWith("data:image/") ? source : null;
}
