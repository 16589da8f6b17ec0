import { askPublic } from "../../api.js";
import { numberOf } from "../../format.js";
import { may } from "../../me.js";
import { Button } from "../../ui/button.js";
import { toast } from "../../ui/toast.js";

export interface WriteBackCounts {
  pending: number;
  succeeded: number;
  failed: number;
}

interface WriteBackProps {
  id: string;
  counts: WriteBackCounts;
  onChange: () => Promise<void>;
}

/** How many files are in the records that their documents were made of. */
export function WriteBack({ id, counts, onChange }: WriteBackProps) {
  const again = async () => {
    await askPublic(`batches/${id}/write-back`, "POST");
    await onChange();
    toast("The files that failed are on their way again.");
  };
  return (
    <div class="row small">
      <span>
        Files in their records: {numberOf(counts.succeeded)} written
        {counts.pending > 0 && `, ${numberOf(counts.pending)} on their way`}
        {counts.failed > 0 && `, ${numberOf(counts.failed)} failed`}.
      </span>
      {counts.failed > 0 && may("editor") && (
        <Button onPress={again}>Write those again</Button>
      )}
    </div>
  );
}
