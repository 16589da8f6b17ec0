import { useState } from "preact/hooks";
import type { Look } from "./look.js";
import { Icon } from "../../ui/icon.js";
import { useCanvas } from "./canvas-state.js";
import { filled } from "./sample.js";
import { useScope } from "./scope-context.js";

interface PictureProps {
  /** A Template: an asset, a data URL or an address. */
  src: string;
  alt: string;
  look: Pick<Look, "class" | "style">;
}

/** A picture of the template, or a quiet box of its size that says what belongs there. */
export function Picture({ src, alt, look }: PictureProps) {
  const canvas = useCanvas();
  const scope = useScope();
  const [broken, setBroken] = useState<string | null>(null);
  const given = src.includes("{{")
    ? filled(src, scope, canvas.data.value)
    : src;
  const address = usePictureAddress(given?.trim() ?? "");
  const words = alt.includes("{{")
    ? (filled(alt, scope, canvas.data.value) ?? "")
    : alt;
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
