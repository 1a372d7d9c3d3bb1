/** The icon of a task kind, by the name in its spec. */

import type { LucideProps } from 'lucide-react'
import { createElement } from 'react'
import { taskIcon } from './task-icon.ts'

export function TaskIcon({ name, ...props }: { readonly name: string | undefined } & LucideProps) {
  return createElement(taskIcon(name), { 'aria-hidden': true, ...props })
}
