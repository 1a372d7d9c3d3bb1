/** The page of all steps in the documentation, written from the catalogue. */

import type { JsonObject, JsonValue } from '../model/json.ts'
import { isJsonObject } from '../model/json.ts'
import { inputJsonSchema } from '../model/schema-walk.ts'
import type { TaskCategory, TaskSpec } from '../model/task-spec.ts'
import { taskSpecs } from '../tasks/specs.ts'

const categories: readonly (readonly [title: string, category: TaskCategory])[] = [
  ['Flow', 'flow'],
  ['Data', 'data'],
  ['Files', 'files'],
  ['Network', 'network'],
  ['Code', 'code'],
  ['Debug', 'debug'],
]

const introduction = `# Steps

<!-- Written by src-engine/shell/generate.ts from src-engine/tasks. Change it there. -->

What each step is called in a document (\`kind\`), what it can be told, and what its effect is: *pure* steps have none,
*idempotent* ones may be repeated, *keyed* ones hand a key to the other side so that it can tell a repetition, *unsafe*
ones are never repeated unasked. More: [sql.md](sql.md), [files.md](files.md), [data.md](data.md),
[http.md](http.md), [messages.md](messages.md), [stores.md](stores.md), [ssh.md](ssh.md), [scripts.md](scripts.md), [docker.md](docker.md), [control-flow.md](control-flow.md), [approvals.md](approvals.md).
`

/** The Markdown text of the page. */
export function tasksPage(): string {
  const all: readonly TaskSpec[] = Object.values(taskSpecs)
  const specs = all.filter(({ isInternal }) => isInternal !== true)
  const chapters = categories.map(([title, category]) => {
    const own = specs.filter((spec) => spec.category === category)
    return [`## ${title}`, '', ...own.flatMap(stepLines)].join('\n')
  })
  return [introduction, ...chapters].join('\n')
}

function stepLines(spec: TaskSpec): readonly string[] {
  const schema = inputJsonSchema(spec.parameters)
  const fields = isJsonObject(schema['properties']) ? Object.entries(schema['properties']) : []
  const rows = fields.flatMap(([name, field]) => (isJsonObject(field) ? [row(name, field)] : []))
  const table = rows.length === 0 ? [] : ['| field | | default |', '|---|---|---|', ...rows, '']
  return [`### ${spec.title}`, '', `\`${spec.kind}\`, ${spec.sideEffect}. ${spec.description}`, '', ...table]
}

function row(name: string, field: JsonObject): string {
  const { title, description, default: usual } = field
  const words = [title, description].filter((text) => typeof text === 'string').join('. ')
  return `| \`${name}\` | ${cell(words)} | ${usual === undefined ? '' : shownDefault(usual)} |`
}

function shownDefault(value: JsonValue): string {
  const text = JSON.stringify(value)
  return text === '""' || text === '{}' || text === '[]' ? '' : `\`${text}\``
}

/** Text that can't end its cell, nor emphasize or begin a tag. */
const cell = (content: string): string => content.replaceAll(/[|*<]/g, '\\$&').replaceAll('\n', ' ')
