import type { ComponentChildren } from "preact";
import type { PersonInfo } from "../../../../../../core/plugin-api/app-people.js";
import { ask } from "../../api.js";
import { useResource } from "../../resource.js";
import { place, setQuery } from "../../router.js";
import { Button } from "../../ui/button.js";
import { actGroups, actWords } from "./act-words.js";

const names = ["action", "person", "from", "to"] as const;

/** Which acts: of what, of whom, when. All of it stands in the address. */
export function AuditFilters() {
  const { searchParams } = place.value;
  const isAsked = names.some((name) => searchParams.has(name));
  return (
    <div class="bar audit-bar">
      <Filter words="What">
        <Acts {...fieldOf("action")} />
      </Filter>
      <Filter words="Who">
        <People {...fieldOf("person")} />
      </Filter>
      <Filter words="From">
        <input type="date" {...fieldOf("from")} />
      </Filter>
      <Filter words="To">
        <input type="date" {...fieldOf("to")} />
      </Filter>
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

function fieldOf(name: (typeof names)[number]): FieldProps {
  return {
    class: "input",
    value: place.value.searchParams.get(name) ?? "",
    onChange: ({ currentTarget }) =>
      setQuery({ [name]: currentTarget.value, page: "" }),
  };
}

interface FilterProps {
  words: string;
  children: ComponentChildren;
}

function Filter({ words, children }: FilterProps) {
  return (
    <label class="field">
      <span class="label">{words}</span>
      {children}
    </label>
  );
}

function People(props: FieldProps) {
  const people = useResource("", () => ask<PersonInfo[]>("people"));
  return (
    <select {...props}>
      <option value="">Everyone</option>
      {people.data?.map(({ id, name }) => (
        <option value={id} key={id}>
          {name}
        </option>
      ))}
    </select>
  );
}

interface FieldProps {
  class: string;
  value: string;
  onChange: (event: { currentTarget: { value: string } }) => void;
}

function Acts(props: FieldProps) {
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
