import { useState } from "preact/hooks";
import { askPublic, type Schemas } from "../api.js";
import { useResource } from "../resource.js";
import { Link } from "../router.js";
import { may } from "../session.js";
import { Button } from "../ui/button.js";
import { FormDialog } from "../ui/dialog.js";
import { InputField } from "../ui/form.js";
import { Icon } from "../ui/icon.js";
import { LoadStatus } from "../ui/loading.js";
import { Empty } from "../ui/notice.js";
import { PageTitle } from "../ui/page-title.js";
import { toast } from "../ui/toast.js";
import { t } from "../messages/index.js";
import { rich } from "../messages/rich.js";

type Sequence = Schemas["Sequence"];

export function NumbersPage() {
  const sequences = useResource("", () =>
    askPublic<{ data: Sequence[] }>("sequences"),
  );
  const [changed, setChanged] = useState<Sequence | null>(null);
  const rows = sequences.data?.data;
  return (
    <>
      <PageTitle title={t("shell.numbers")} lead={t("numbers.lead")}>
        {rows && rows.length > 0 && may("owner") && (
          <Link class="button" to="audit?action=sequence.changed">
            <Icon name="audit" />
            {t("numbers.changes")}
          </Link>
        )}
      </PageTitle>
      <LoadStatus
        resource={sequences}
        what={t("numbers.couldntLoad")}
        count={3}
      />
      {rows?.length === 0 && <NoSequences />}
      {rows && rows.length > 0 && (
        <ul class="card lines">
          {rows.map((sequence) => (
            <SequenceLine
              key={`${sequence.name} ${sequence.period}`}
              sequence={sequence}
              onChange={() => setChanged(sequence)}
            />
          ))}
        </ul>
      )}
      {changed && (
        <ChangeDialog
          sequence={changed}
          onChanged={sequences.reload}
          onClose={() => setChanged(null)}
        />
      )}
    </>
  );
}

function NoSequences() {
  return (
    <Empty icon="number" title={t("numbers.noneYet")}>
      <p>
        {rich(
          "numbers.noneYetHelp",
          {},
          { expression: '{{ sequence("invoices", "RE-{yyyy}-{0000}") }}' },
        )}
      </p>
      <p>
        <a href="../docs/how-to/number-documents">{t("numbers.howTo")}</a>
      </p>
    </Empty>
  );
}

interface SequenceLineProps {
  sequence: Sequence;
  onChange: () => void;
}

function SequenceLine({ sequence, onChange }: SequenceLineProps) {
  const { name, period, pattern, nextNumber, open } = sequence;
  return (
    <li class="line document">
      <div class="words">
        <strong>{period === "" ? name : `${name} ${period}`}</strong>
        <code class="muted small">{pattern}</code>
      </div>
      <div class="words">
        <span class="muted small">{t("numbers.nextNew")}</span>
        <strong>{nextNumber}</strong>
      </div>
      <div class="row files">
        {may("editor") && (
          <Button
            label={t("numbers.changeName", { name: `${name} ${period}` })}
            onPress={onChange}
          >
            {t("common.change")}
          </Button>
        )}
      </div>
      {open.length > 0 && (
        <details class="open-numbers small">
          <summary>{t("numbers.countOpen", { count: open.length })}</summary>
          <ul>
            {open.map(({ value, number, documentId }) => (
              <li key={value}>
                <strong>{number}</strong>{" "}
                <span class="muted">
                  {documentId === null
                    ? t("numbers.free")
                    : t("numbers.reserved", { documentId })}
                </span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </li>
  );
}

interface ChangeDialogProps {
  sequence: Sequence;
  onChanged: () => Promise<void>;
  onClose: () => void;
}

function ChangeDialog({ sequence, onChanged, onClose }: ChangeDialogProps) {
  const { name, period, pattern, nextValue, open } = sequence;
  const [text, setText] = useState(String(nextValue));
  const send = async () => {
    const at = `sequences/${encodeURIComponent(name)}`;
    const body = { pattern, period, nextValue: Number(text) };
    const { nextNumber } = await askPublic<Sequence>(at, "PUT", body);
    await onChanged();
    toast(t("numbers.nextIs", { number: nextNumber }));
    onClose();
  };
  return (
    <FormDialog
      title={t("numbers.nextOf", { name: `${name} ${period}`.trim() })}
      act={t("numbers.set")}
      onSend={send}
      onClose={onClose}
    >
      <p>{t("numbers.whatHappens")}</p>
      {open[0] && (
        <p>
          {t("numbers.openFirst", {
            count: open.length,
            number: open[0].number,
          })}
        </p>
      )}
      <InputField
        label={t("numbers.nextNew")}
        hint={t("numbers.printedAs", { number: writeNumber(sequence, text) })}
        required
        autofocus
        inputMode="numeric"
        maxLength={9}
        pattern="[1-9][0-9]*"
        value={text}
        onChange={setText}
      />
    </FormDialog>
  );
}

/** The number as documents print it. */
function writeNumber({ period, pattern }: Sequence, digits: string): string {
  return pattern
    .replace("{yyyy}", period.slice(0, 4))
    .replace("{yy}", period.slice(2, 4))
    .replace("{MM}", period.slice(5, 7))
    .replace("{dd}", period.slice(8, 10))
    .replace(/\{(0+)\}/, (_, zeros: string) =>
      digits.padStart(zeros.length, "0"),
    );
}
