/**
 * The drawings of the icons that task kinds may name, taken from the icon package that the designer uses. Which ones
 * is the designer's list to say.
 */

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const listFile = 'src-renderer/ui/task-icon.ts'

/** The text of `model/picture/task-icons.generated.ts`; null where the icon package isn't installed. */
export function taskIconsModule(root: string): string | null {
  const folder = join(root, 'node_modules/lucide-react/dist/esm/icons')
  if (!existsSync(folder) || !existsSync(join(root, listFile))) return null
  const names = listedNames(readFileSync(join(root, listFile), 'utf8'))
  const lines = names.flatMap((name) => {
    const path = join(folder, `${name}.mjs`)
    const shapes = existsSync(path) ? shapesIn(readFileSync(path, 'utf8')) : ''
    return shapes === '' ? [] : [`  ${JSON.stringify(name)}: ${JSON.stringify(shapes)},\n`]
  })
  return (
    '/** Icons of task kinds as SVG shapes of 24 by 24, from lucide (ISC licence). Made by shell/generate.ts. */\n\n' +
    `export const taskIcons: Readonly<Record<string, string>> = {\n${lines.join('')}}\n`
  )
}

/** The keys of the designer's list: `  'file-code': FileCode,`. */
const listedNames = (module: string): readonly string[] =>
  [...module.matchAll(/^ {2}'?([a-z0-9-]+)'?: [A-Z]\w+,$/gm)].map(([, name = '']) => name).sort()

/** The shapes of an icon's module, which lists them as tag and attributes. */
function shapesIn(module: string): string {
  const shapes = [...module.matchAll(/\[\s*"([a-z]+)",\s*\{([^}]*)\}\s*\]/g)].map(
    ([, tag = '', fields = '']) => {
      const attributes = [...fields.matchAll(/"?([\w-]+)"?:\s*"([^"]*)"/g)]
        .filter(([, name]) => name !== 'key')
        .map(([, name = '', value = '']) => ` ${name}="${value}"`)
      return `<${tag}${attributes.join('')}/>`
    },
  )
  return shapes.join('')
}
