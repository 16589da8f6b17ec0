import { useState } from "preact/hooks";
import { askPublic } from "../../api.js";
import { AskFirst } from "../../ui/ask-first.js";
import { Button } from "../../ui/button.js";
import { toast } from "../../ui/toast.js";
import { ChangeCredentials } from "./change-credentials.js";
import type { Connection } from "./connection-line.js";
import { RenameConnection } from "./rename-connection.js";
import type { SettingsSchema } from "./settings.js";

interface ConnectionActionsProps {
  one: Connection;
  /** What it asks for; null when that is not known now. */
  schema: SettingsSchema | null;
  onChange: () => Promise<void>;
  /** What a test said that will not work. */
  onWarn: (warnings: string[]) => void;
}

type Asked = "change" | "rename" | "delete";

interface Tested {
  connection: Connection;
  account: string | null;
  warnings: string[];
}

/** What an owner can do about a connection. */
export function ConnectionActions(props: ConnectionActionsProps) {
  const { one, schema, onChange, onWarn } = props;
  const [asked, setAsked] = useState<Asked | null>(null);
  const test = async () => {
    const at = `connections/${one.id}/test`;
    const tested = await askPublic<Tested>(at, "POST");
    onWarn(tested.warnings);
    await onChange();
    toast(wordsOfTest(tested));
  };
  return (
    <>
      <Button label={`Test ${one.name}`} onPress={test}>
        Test
      </Button>
      {Object.keys(schema?.properties ?? {}).length > 0 && (
        <Button
          label={`Change the credentials of ${one.name}`}
          onPress={() => setAsked("change")}
        >
          Change
        </Button>
      )}
      <Button label={`Rename ${one.name}`} onPress={() => setAsked("rename")}>
        Rename
      </Button>
      <Button label={`Delete ${one.name}`} onPress={() => setAsked("delete")}>
        Delete
      </Button>
      {asked && (
        <Asking {...props} asked={asked} onClose={() => setAsked(null)} />
      )}
    </>
  );
}

type AskingProps = Pick<
  ConnectionActionsProps,
  "one" | "schema" | "onChange"
> & {
  asked: Asked;
  onClose: () => void;
};

function Asking({ one, schema, asked, onChange, onClose }: AskingProps) {
  const shared = { one, onChange, onClose };
  if (asked === "rename") return <RenameConnection {...shared} />;
  if (asked === "delete") return <DeleteConnection {...shared} />;
  return schema && <ChangeCredentials {...shared} schema={schema} />;
}

function wordsOfTest({ connection, account }: Tested): string {
  const { name, state } = connection;
  if (state !== "working") return `${name} does not work.`;
  return account === null ? `${name} works.` : `${name} works: ${account}.`;
}

interface DeleteConnectionProps {
  one: Connection;
  onChange: () => Promise<void>;
  onClose: () => void;
}

function DeleteConnection({ one, onChange, onClose }: DeleteConnectionProps) {
  const remove = async () => {
    await askPublic(`connections/${one.id}`, "DELETE");
    await onChange();
    toast(`${one.name} was deleted.`);
  };
  return (
    <AskFirst
      title={`Delete ${one.name}?`}
      act="Delete"
      onAct={remove}
      onClose={onClose}
    >
      <p>
        Its credentials are deleted too. Templates and links that need it fail
        from now on.
      </p>
    </AskFirst>
  );
}
