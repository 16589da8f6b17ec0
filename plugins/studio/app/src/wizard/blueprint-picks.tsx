import { useState } from "preact/hooks";
import type { BlueprintCard } from "../../../../../core/plugin-api/app-drafts.js";
import { ask, askPublic, wordsOf } from "../api.js";
import { useResource } from "../resource.js";
import { whereNow } from "../router.js";
import { toast } from "../ui/toast.js";
import { Pick } from "./pick.js";

/** The examples that ship with Platen, to begin with a copy of one. */
export function BlueprintPicks({
  onMade,
}: {
  onMade: (templateId: string) => void;
}) {
  const [isBusy, setBusy] = useState(false);
  const { data } = useResource("blueprints", () =>
    ask<{ blueprints: BlueprintCard[] }>("blueprints"),
  );
  if (!data) return null;
  const copy = async ({ id, name }: BlueprintCard) => {
    if (isBusy) return;
    setBusy(true);
    const isHere = whereNow();
    try {
      const order = { name, blueprint: id };
      const made = await askPublic<{ id: string }>("templates", "POST", order);
      if (isHere()) onMade(made.id);
    } catch (error) {
      toast(wordsOf(error));
      setBusy(false);
    }
  };
  return (
    <details class="aside">
      <summary>Start from an example</summary>
      <ul class="card picks">
        {data.blueprints.map((one) => (
          <li key={one.id}>
            <Pick title={one.name} onPick={() => void copy(one)}>
              <span class="muted small">{one.description}</span>
            </Pick>
          </li>
        ))}
      </ul>
    </details>
  );
}
