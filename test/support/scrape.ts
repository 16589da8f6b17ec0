/** The samples of an exposition, by their names with labels as they are written: `up{job="a"}`. */
export type Scrape = ReadonlyMap<string, number>;

const sample = /^([a-z_:][\w:]*(?:\{.*\})?) (\S+)$/i;
const comment = /^# (HELP|TYPE) [a-z_:][\w:]* .+$/i;

/** Asks as Prometheus does, and refuses any line that it would not understand. */
export async function scrape(url: string): Promise<Scrape> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} answers ${response.status}`);
  const lines = (await response.text()).split("\n");
  return new Map(
    lines
      .filter((line) => line !== "" && !comment.test(line))
      .map((line) => {
        const [, name, value] = sample.exec(line) ?? [];
        if (name === undefined || value === undefined || !isNumber(value))
          throw new Error(`no sample: ${line}`);
        return [name, Number(value)];
      }),
  );
}

function isNumber(text: string): boolean {
  return /^([+-]Inf|nan)$/i.test(text) || !Number.isNaN(Number(text));
}
