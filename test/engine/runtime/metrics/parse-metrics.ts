/** Reads the Prometheus text format as a scraper does, and refuses what one would refuse. */

export interface Sample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

export interface ParsedFamily {
  readonly help: string
  readonly type: string
  readonly samples: Sample[]
}

/** Throws on a line that is none of the format's, and on a sample before its family. */
export function parseMetrics(text: string): {
  readonly families: ReadonlyMap<string, ParsedFamily>
  /** The value of a sample by its name and labels: `name{label="value"}`. */
  readonly valueOf: (sample: string) => number | undefined
} {
  if (!text.endsWith('\n')) throw new Error('the last line has no end')
  const families = new Map<string, ParsedFamily>()
  const values = new Map<string, number>()
  let help = ''
  for (const line of text.slice(0, -1).split('\n')) {
    const explained = /^# HELP ([a-z][a-z0-9_]*) (.*)$/.exec(line)
    const typed = /^# TYPE ([a-z][a-z0-9_]*) (counter|gauge|histogram)$/.exec(line)
    if (explained !== null) help = unescaped(explained[2] ?? '')
    else if (typed !== null) families.set(typed[1] ?? '', { help, type: typed[2] ?? '', samples: [] })
    else {
      const sample = parseSample(line)
      const family =
        families.get(sample.name) ?? families.get(sample.name.replace(/_(bucket|sum|count)$/, ''))
      if (family === undefined) throw new Error(`no family before ${line}`)
      family.samples.push(sample)
      values.set(line.slice(0, line.lastIndexOf(' ')), sample.value)
    }
  }
  return { families, valueOf: (sample) => values.get(sample) }
}

function parseSample(line: string): Sample {
  const match = /^([a-z][a-z0-9_]*)(?:\{(.*)\})? (\S+)$/.exec(line)
  if (match === null) throw new Error(`not a sample: ${line}`)
  const [, name = '', inside = '', number = ''] = match
  const labels = [...inside.matchAll(/([a-z_]+)="((?:[^"\\]|\\.)*)"/g)]
  const value = Number(number)
  if (Number.isNaN(value)) throw new Error(`not a number: ${line}`)
  return {
    name,
    labels: Object.fromEntries(labels.map(([, key, raw]) => [key, unescaped(raw ?? '')])),
    value,
  }
}

const unescaped = (text: string): string =>
  text.replaceAll(/\\(.)/g, (_, letter: string) => (letter === 'n' ? '\n' : letter))
