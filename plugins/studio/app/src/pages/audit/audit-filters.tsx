import type { PersonInfo } from "../../../../../../core/contract/app-people.js";
import { ask } from "../../api.js";
import { useResource } from "../../resource.js";
import { place, setQuery } from "../../router.js";
import { Button } from "../../ui/button.js";
import { actGroups, actWords } from "./act-words.js";

const names = ["action", "person", "from", "to"] as const;

/** Which acts: of what, of whom, when. All of it stands in the address. */
export function AuditFilters() {
  const { searchParams } = place.value;
  const people = useResource("", () => ask<PersonInfo[]>("people"));
  const isAsked = names.some((name) => searchParams.has(name));
  const fieldOf = (name: (typeof names)[number]) => ({
    class: "input",
    value: searchParams.get(name) ?? "",
    onChange: (event: { currentTarget: { value: string } }) =>
      setQuery({ [name]: event.currentTarget.value, page: "" }),
  });
  return (
    <div class="bar audit-bar">
      <label class="field">
        <span class="label">What</span>
        <Acts {...fieldOf("action")} />
      </label>
      <label class="field">
        <span class="label">Who</span>
        <select {...fieldOf("person")}>
          <option value="">Everyone</option>
          {people.data?.map(({ id, name }) => (
            <option value={id} key={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label class="field">
        <span class="label">From</span>
        <input type="date" {...fieldOf("from")} />
      </label>
      <label class="field">
        <span class="label">To</span>
        <input type="date" {...fieldOf("to")} />
      </label>
      {isAsked && (
        <Button
          kind="quiet"
          onPress={() =>
            setQuery({ action: "", person: "", from: "", to: "", page: "" })
          }
        >
          Show all
        </Button>
      )}
    </div>
  );
}

interface ActsProps {
  class: string;
  value: string;
  onChange: (event: { currentTarget: { value: string } }) => void;
}

function Acts(props: ActsProps) {
  return (
    <select {...props}>
      <option value="">Everything</option>
      {actGroups.map(([group, things]) => (
        <optgroup label={group} key={group}>
          {Object.entries(actWords)
            .filter(([act]) => things.includes(act.split(".")[0] ?? ""))
            .map(([act, words]) => (
              <option value={act} key={act}>
                {words}
              </option>
            ))}
        </optgroup>
      ))}
    </select>
  );
}
