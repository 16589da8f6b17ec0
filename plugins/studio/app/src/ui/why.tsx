const leadLength = 160;

/** Of a long reason, its beginning, until the rest is asked for. */
export function Why({ error }: { error: string }) {
  const lead = error.slice(0, leadLength).replace(/\s+\S*$/, "");
  if (error.length <= leadLength)
    return <p class="why">{error || "No reason is known."}</p>;
  return (
    <details class="why">
      <summary>{lead}…</summary>
      <p>{error}</p>
    </details>
  );
}
