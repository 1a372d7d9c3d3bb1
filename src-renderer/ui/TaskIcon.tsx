/** The icon of a task kind, by the name in its spec. */

import type { LucideProps } from 'lucide-react'
import { createElement, memo } from 'react'
import { taskIcon } from './task-icon.ts'

export const TaskIcon = memo(function TaskIcon({
  name,
  ...props
}: { readonly name: string | undefined } & LucideProps) {
  return createElement(taskIcon(name), { 'aria-hidden': true, ...props })
})
