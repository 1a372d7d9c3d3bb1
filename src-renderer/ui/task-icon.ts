/** Icons that task specs name, by lucide's own names. A name that isn't here gets the box. */

import {
  Binary, Box, Braces, Bug, CalendarClock, Circle, CircleDot, Code, Database, FileCode, FileDown, FileInput, FileOutput,
  FileSpreadsheet, FileText, Filter, GitBranch, GitFork, GitMerge, Globe, HardDriveDownload, Hourglass,
  ListTree, Logs, Mail, MessageSquare, Network, NotebookPen, Play, Route, Save, ScrollText, Send, Sheet, Shuffle,
  Sparkles, Split, SquareTerminal, Table, Table2, Terminal, Timer, WandSparkles, Webhook, Workflow, Zap,
} from 'lucide-react'
import type { LucideIcon } from 'lucide-react'

const iconByName: Readonly<Record<string, LucideIcon>> = {
  binary: Binary, box: Box, braces: Braces, bug: Bug, 'calendar-clock': CalendarClock, circle: Circle,
  'circle-dot': CircleDot, code: Code, database: Database, 'file-code': FileCode, 'file-down': FileDown,
  'file-input': FileInput, 'file-output': FileOutput, 'file-spreadsheet': FileSpreadsheet, 'file-text': FileText,
  filter: Filter, 'git-branch': GitBranch, 'git-fork': GitFork, 'git-merge': GitMerge, globe: Globe,
  'hard-drive-download': HardDriveDownload, hourglass: Hourglass, 'list-tree': ListTree, logs: Logs, mail: Mail,
  'message-square': MessageSquare, network: Network, 'notebook-pen': NotebookPen, play: Play, route: Route,
  save: Save, 'scroll-text': ScrollText, send: Send, sheet: Sheet, shuffle: Shuffle, sparkles: Sparkles,
  split: Split, 'square-terminal': SquareTerminal, table: Table, 'table-2': Table2, terminal: Terminal,
  timer: Timer, 'wand-sparkles': WandSparkles, webhook: Webhook, workflow: Workflow, zap: Zap,
}

/** The icon of that name. */
export function taskIcon(name: string | undefined): LucideIcon {
  return (name === undefined ? undefined : iconByName[name]) ?? Box
}

/** Whether the designer has an icon of its own for the name. */
export const hasTaskIcon = (name: string): boolean => name in iconByName
