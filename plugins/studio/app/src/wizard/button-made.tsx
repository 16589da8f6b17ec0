import { useState } from "preact/hooks";
import type { OpenedTable } from "../../../../../core/plugin-api/app-wizard.js";
import { askPublic } from "../api.js";
import { Link } from "../link.js";
import { useResource } from "../resource.js";
import { whereNow } from "../router.js";
import { AskFirst } from "../ui/ask-first.js";
import { Button } from "../ui/button.js";
import { Notice } from "../ui/notice.js";
import { toast } from "../ui/toast.js";
import { ButtonPicture } from "./button-picture.js";
import { addressOf, type Choice, keep } from "./choice.js";
import { FocusedHeading } from "./focused-heading.js";
import { FormulaShown } from "./formula-shown.js";
import { HowToPaste } from "./how-to-paste.js";
import { Loaded } from "./loaded.js";
import { StepEnd } from "./step-end.js";

interface MadeLink {
  id: string;
  name: string;
  state: "active" | "expired" | "revoked";
  url: string;
  formulas: { where: string; formula: string }[];
}

interface ButtonMadeProps {
  table: OpenedTable;
  choice: Choice;
}

/** The link with its formulas; what they hold is read anew each time and kept nowhere. */
export function ButtonMade({ table, choice }: ButtonMadeProps) {
  const link = useResource(choice.link, () =>
    askPublic<MadeLink>(`links/${choice.link}`),
  );
  return (
    <>
      <Loaded
        resource={link}
        what="The button could not be read"
        mend="file"
        choice={choice}
      >
        {(data) =>
          data.state === "active" ? (
            <Shown link={data} table={table} />
          ) : (
            <IsOff />
          )
        }
      </Loaded>
      <StepEnd step="button" choice={choice}>
        <Link class="button primary" to={addressOf("try", choice)}>
          Try it
        </Link>
      </StepEnd>
    </>
  );
}

function IsOff() {
  return (
    <Notice tone="warn" title="This button is switched off">
      <Button onPress={() => keep("button", { link: "" })}>
        Make another one
      </Button>
    </Notice>
  );
}

function Shown({ link, table }: { link: MadeLink; table: OpenedTable }) {
  const { id, title } = table.platform;
  return (
    <>
      <section class="card padded stack" aria-labelledby="paste">
        <FocusedHeading id="paste">Paste this into {title}</FocusedHeading>
        <HowToPaste platform={id} table={table.name} name={link.name} />
        {link.formulas.map((one) => (
          <FormulaShown {...one} key={one.formula} />
        ))}
        {link.formulas.length === 0 && (
          <FormulaShown
            where="The address for a record: put the record’s id at its end"
            formula={`${link.url}?recordId=`}
          />
        )}
        <ButtonPicture table={table} name={link.name} />
      </section>
      <Secret link={link} table={table.name} />
    </>
  );
}

/** Where the secret stands, and what it may do. */
function Secret({ link, table }: { link: MadeLink; table: string }) {
  const [isAsking, setAsking] = useState(false);
  const end = async () => {
    const isHere = whereNow();
    await askPublic(`links/${link.id}`, "DELETE");
    toast("The button was switched off.");
    if (isHere()) keep("button", { link: "" });
  };
  return (
    <section class="card padded stack close" aria-labelledby="secret">
      <h2 id="secret">This address is a key</h2>
      <p class="muted">
        Whoever has it can make this one document of records of “{table}”, and
        nothing else. So share it only with people who may see the table. It
        stands in the formula, and nowhere else.
      </p>
      <div>
        <Button onPress={() => setAsking(true)}>Switch the button off</Button>
      </div>
      {isAsking && (
        <AskFirst
          title="Switch the button off?"
          act="Switch it off"
          onAct={end}
          onClose={() => setAsking(false)}
        >
          <p>
            Nobody can make documents with it any more. To have a button again,
            you make another one and paste its formula.
          </p>
        </AskFirst>
      )}
    </section>
  );
}
