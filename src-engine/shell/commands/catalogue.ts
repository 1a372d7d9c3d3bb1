/** The commands by name. Each is loaded when it is called: starting up costs only what is used. */

import type { Command } from './command.ts'

/** Name → loader. */
export const commandLoaders = {
  run: async () => (await import('./run.ts')).runCommand,
  validate: async () => (await import('./validate.ts')).validateCommand,
  export: async () => (await import('./export.ts')).exportCommand,
  import: async () => (await import('./import.ts')).importCommand,
  tasks: async () => (await import('./tasks.ts')).tasksCommand,
  test: async () => (await import('./test.ts')).testCommand,
  rehearse: async () => (await import('./rehearse.ts')).rehearseCommand,
  serve: async () => (await import('./serve.ts')).serveCommand,
  runner: async () => (await import('./runner.ts')).runnerCommand,
  publish: async () => (await import('./publish.ts')).publishCommand,
  push: async () => (await import('./push.ts')).pushCommand,
  clusters: async () => (await import('./clusters.ts')).clustersCommand,
  pools: async () => (await import('./pools.ts')).poolsCommand,
  policy: async () => (await import('./policy.ts')).policyCommand,
  tenants: async () => (await import('./tenants.ts')).tenantsCommand,
  teleport: async () => (await import('./teleport.ts')).teleportCommand,
  runs: async () => (await import('./runs.ts')).runsCommand,
  signal: async () => (await import('./signal.ts')).signalCommand,
  event: async () => (await import('./event.ts')).eventCommand,
  triggers: async () => (await import('./triggers.ts')).triggersCommand,
  approvals: async () => (await import('./approvals.ts')).approvalsCommand,
  audit: async () => (await import('./audit.ts')).auditCommand,
  logs: async () => (await import('./logs.ts')).logsCommand,
  webhooks: async () => (await import('./webhooks.ts')).webhooksCommand,
  circuits: async () => (await import('./circuits.ts')).circuitsCommand,
  dlq: async () => (await import('./dlq.ts')).dlqCommand,
  quarantine: async () => (await import('./quarantine.ts')).quarantineCommand,
  'output-policy': async () => (await import('./output-policy.ts')).outputPolicyCommand,
  secrets: async () => (await import('./secrets.ts')).secretsCommand,
  seal: async () => (await import('./seal.ts')).sealCommand,
  trust: async () => (await import('./trust.ts')).trustCommand,
  prune: async () => (await import('./prune.ts')).pruneCommand,
  status: async () => (await import('./status.ts')).statusCommand,
  config: async () => (await import('./config.ts')).configCommand,
  doctor: async () => (await import('./doctor.ts')).doctorCommand,
  version: async () => (await import('./version.ts')).versionCommand,
} satisfies Record<string, () => Promise<Command>>

export type CommandName = keyof typeof commandLoaders

/** Whether there is a command of that name. */
export const isCommandName = (text: string): text is CommandName => Object.hasOwn(commandLoaders, text)
