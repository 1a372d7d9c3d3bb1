/**
 * Counters, gauges and histograms, and their text in the Prometheus exposition format. Counting is one
 * addition to a number; text is made only when somebody asks for it.
 */

export interface Counter {
  readonly add: (amount?: number) => void
  readonly value: () => number
}

export interface Gauge {
  readonly set: (value: number) => void
  readonly value: () => number
}

export interface Histogram {
  readonly observe: (value: number) => void
  readonly count: () => number
}

/** The children of a metric with one label, one per value of it. */
export type PerLabel<Metric> = (value: string) => Metric

export interface Described {
  /** With the prefix: `sagasmith_jobs_received_total`. */
  readonly name: string
  /** One sentence. */
  readonly help: string
}

export interface Registry {
  readonly counter: (described: Described) => Counter
  readonly counterBy: (described: Described & { readonly label: string }) => PerLabel<Counter>
  /** `read` is called whenever the text is made; without it the gauge has what was set last. */
  readonly gauge: (described: Described & { readonly read?: () => number }) => Gauge
  readonly gaugeBy: (described: Described & { readonly label: string }) => PerLabel<Gauge>
  /** Upper bounds in ascending order; the one of infinity is added. */
  readonly histogram: (described: Described & { readonly bounds: readonly number[] }) => Histogram
  /** The text of everything, sorted by name. */
  readonly text: () => string
}

/** The type of the text, for the header. */
export const metricsContentType = 'text/plain; version=0.0.4; charset=utf-8'

/** More values of one label than this mean that it holds ids; the rest is counted under `other`. */
const labelValuesMax = 200

interface Family {
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly lines: () => readonly string[]
}

/** An empty registry. Throws when a name is given twice or can't be one. */
export function createRegistry(): Registry {
  const families = new Map<string, Family>()
  const add = (family: Family): void => {
    if (families.has(family.name) || !/^[a-z][a-z0-9_]*$/.test(family.name)) {
      throw new Error(`Broken invariant: ${family.name} is a new name of a metric`)
    }
    families.set(family.name, family)
  }
  const single = <Metric extends { readonly value: () => number }>(
    type: 'counter' | 'gauge',
    { name, help }: Described,
    metric: Metric,
  ): Metric => {
    add({ name, help, type, lines: () => [`${name} ${numberText(metric.value())}`] })
    return metric
  }
  const perLabel = <Metric extends { readonly value: () => number }>(
    type: 'counter' | 'gauge',
    { name, help, label }: Described & { readonly label: string },
    make: () => Metric,
  ): PerLabel<Metric> => {
    const children = new Map<string, Metric>()
    add({
      name,
      help,
      type,
      lines: () => [...children].map((child) => labelled(name, label, child)),
    })
    return (wanted) => {
      const usual = children.get(wanted)
      if (usual !== undefined) return usual
      const value = children.size < labelValuesMax ? wanted : 'other'
      const known = value === wanted ? undefined : children.get(value)
      if (known !== undefined) return known
      const made = make()
      children.set(value, made)
      return made
    }
  }
  return {
    counter: (described) => single('counter', described, createCounter()),
    counterBy: (described) => perLabel('counter', described, createCounter),
    gauge: (described) => single('gauge', described, createGauge(described.read)),
    gaugeBy: (described) => perLabel('gauge', described, () => createGauge()),
    histogram: ({ name, help, bounds }) => {
      const { lines, ...histogram } = createHistogram(name, bounds)
      add({ name, help, type: 'histogram', lines })
      return histogram
    },
    text: () =>
      [...families.values()]
        .sort((a, b) => (a.name < b.name ? -1 : 1))
        .map(familyText)
        .join(''),
  }
}

function createCounter(): Counter {
  let total = 0
  return {
    add: (amount = 1) => {
      total += amount
    },
    value: () => total,
  }
}

function createGauge(read?: () => number): Gauge {
  let last = 0
  return {
    set: (value) => {
      last = value
    },
    value: read ?? (() => last),
  }
}

function createHistogram(
  name: string,
  bounds: readonly number[],
): Histogram & { readonly lines: () => readonly string[] } {
  const counts = bounds.map(() => 0)
  let count = 0
  let sum = 0
  return {
    observe: (value) => {
      count += 1
      sum += value
      for (let index = 0; index < bounds.length; index += 1) {
        if (value <= (bounds[index] ?? 0)) {
          counts[index] = (counts[index] ?? 0) + 1
          return
        }
      }
    },
    count: () => count,
    lines: () => {
      let below = 0
      const buckets = bounds.map((bound, index) => {
        below += counts[index] ?? 0
        return `${name}_bucket{le="${numberText(bound)}"} ${below}`
      })
      return [
        ...buckets,
        `${name}_bucket{le="+Inf"} ${count}`,
        `${name}_sum ${numberText(sum)}`,
        `${name}_count ${count}`,
      ]
    },
  }
}

function familyText({ name, help, type, lines }: Family): string {
  const explained = help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
  return `# HELP ${name} ${explained}\n# TYPE ${name} ${type}\n${lines()
    .map((text) => `${text}\n`)
    .join('')}`
}

function labelled(
  name: string,
  label: string,
  [value, child]: readonly [string, { readonly value: () => number }],
): string {
  const escaped = value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
  return `${name}{${label}="${escaped}"} ${numberText(child.value())}`
}

function numberText(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return '+Inf'
  return value === Number.NEGATIVE_INFINITY ? '-Inf' : String(value)
}
