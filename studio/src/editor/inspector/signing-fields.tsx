import type {
  Connection,
  DefinedSubmitter,
} from "../../../../core/plugin-api/definition.js";
import { askPublic } from "../../api.js";
import { useResource } from "../../resource.js";
import { Button } from "../../ui/button.js";
import { Icon } from "../../ui/icon.js";
import type { Editor } from "../model/editor.js";
import { useEditor } from "../model/editor-context.js";
import type { Control } from "./control.js";
import { assignProperty, ControlFields } from "./control-fields.js";
import { Group, SelectField } from "./fields.js";
import { t } from "../../messages/index.js";

const expiry: readonly Control<keyof Connection>[] = [
  {
    property: "expiresInDays",
    label: t("page.daysToSign"),
    kind: "number",
    min: 1,
    placeholder: t("common.default"),
  },
  {
    property: "redirectUrl",
    label: t("page.pageAfterSigning"),
    kind: "template",
    hint: t("page.pageAfterSigningHint"),
  },
];
const messageControls: readonly Control<"subject" | "body">[] = [
  { property: "subject", label: t("common.subject"), kind: "template" },
  { property: "body", label: t("common.message"), kind: "long-template" },
];

export function SigningFields() {
  const editor = useEditor();
  const [root] = editor.definition.value.schema;
  if (!root) return null;
  const { connection = {} } = root;
  const { submitters = [], message = {} } = connection;
  const set = (property: keyof Connection, value: unknown) =>
    setConnection(editor, property, value);
  const setMessage = (property: string, value: unknown) => {
    const next = { ...message };
    assignProperty(next, property, value);
    set("message", Object.keys(next).length === 0 ? undefined : next);
  };
  return (
    <Group
      title={t("page.signatures")}
      isFolded={connection.submitters === undefined}
    >
      <EsignField
        value={connection.esignConnection}
        onChange={(id) => set("esignConnection", id)}
      />
      <ControlFields
        controls={expiry}
        values={connection}
        owner={null}
        onChange={set}
      />
      <ControlFields
        controls={messageControls}
        values={message}
        owner={null}
        onChange={setMessage}
      />
      <Submitters
        list={Array.isArray(submitters) ? submitters : [submitters]}
        onChange={(next) =>
          set("submitters", next.length === 0 ? undefined : next)
        }
      />
    </Group>
  );
}

interface EsignFieldProps {
  value: string | undefined;
  onChange: (id: string | undefined) => void;
}

function EsignField({ value, onChange }: EsignFieldProps) {
  const { data } = useResource("esign", () =>
    askPublic<{ data: { id: string; name: string; kind: string }[] }>(
      "connections?pageSize=100",
    ),
  );
  const options = (data?.data ?? [])
    .filter(({ kind }) => kind === "esign")
    .map(({ id, name }) => [id, name] as const);
  return (
    <SelectField
      label={t("page.service")}
      value={value}
      none={t("page.setInEachRequest")}
      options={options}
      onChange={onChange}
    />
  );
}

const submitterControls: readonly Control<keyof DefinedSubmitter>[] = [
  {
    property: "role",
    label: t("common.role"),
    kind: "template",
    isRequired: true,
  },
  {
    property: "email",
    label: t("common.email"),
    kind: "template",
    isRequired: true,
  },
  { property: "name", label: t("common.name"), kind: "template" },
];

interface SubmittersProps {
  list: readonly DefinedSubmitter[];
  onChange: (list: DefinedSubmitter[]) => void;
}

function Submitters({ list, onChange }: SubmittersProps) {
  const add = () => {
    const role = t("page.signerLength", { length: list.length + 1 });
    onChange([...list, { role, email: "" }]);
  };
  return (
    <>
      {list.map((submitter, index) => (
        <fieldset class="prop-box" key={index}>
          <legend>{t("page.signerNumber", { number: index + 1 })}</legend>
          <ControlFields
            controls={submitterControls}
            values={submitter}
            owner={null}
            onChange={(property, value) => {
              const next = { ...submitter };
              assignProperty(next, property, value);
              onChange(list.with(index, next));
            }}
          />
          {submitter.collection !== undefined && (
            <p class="prop-hint">
              {t("page.signersFromList", { collection: submitter.collection })}
            </p>
          )}
          <Button
            kind="quiet"
            onPress={() => onChange(list.toSpliced(index, 1))}
          >
            <Icon name="close" size={14} />
            {t("common.remove")}
          </Button>
        </fieldset>
      ))}
      <Button onPress={add}>
        <Icon name="plus" size={14} />
        {t("page.addSigner")}
      </Button>
    </>
  );
}

/** Undefined removes a property. */
function setConnection(
  editor: Editor,
  property: keyof Connection,
  value: unknown,
): void {
  editor.change(
    t("page.changeSignatures"),
    (draft) => {
      const [root] = draft.schema;
      if (!root) return;
      const next = { ...root.connection };
      assignProperty(next, property, value);
      if (Object.keys(next).length === 0) delete root.connection;
      else root.connection = next;
    },
    `connection.${property}`,
  );
}
