/** The keys that are down as one word: "Mod+Shift+Z", "Alt+ArrowUp", "?". Mod is Ctrl, or on a Mac the command key. */
export function chordOf(event: KeyboardEvent): string {
  const { key } = event;
  const isSign = key.length === 1;
  return [
    (event.ctrlKey || event.metaKey) && "Mod",
    event.altKey && "Alt",
    // A sign has its Shift in it, unless others are down beside.
    event.shiftKey && (!isSign || event.ctrlKey || event.metaKey) && "Shift",
    isSign ? key.toUpperCase() : key,
  ]
    .filter(Boolean)
    .join("+");
}

/** A key without others; null when some are down beside it. */
export function plainKey(event: KeyboardEvent): string | null {
  const { altKey, ctrlKey, metaKey } = event;
  return altKey || ctrlKey || metaKey ? null : event.key;
}
