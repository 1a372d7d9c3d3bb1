/** A notification of the system, by the program that each system has for it. Texts go as arguments, never as code. */

import { spawn } from 'node:child_process'
import { SagasmithError } from '../../model/errors.ts'
import type { NotifyParameters } from './spec.ts'

interface Program {
  readonly file: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

const titleDefault = 'Sagasmith'

/** Windows shows a toast in the name of its shell; the texts come in by the environment. */
const toast = [
  '[void][Windows.UI.Notifications.ToastNotificationManager,Windows.UI.Notifications,ContentType=WindowsRuntime]',
  '$x=[Windows.UI.Notifications.ToastNotificationManager]::GetTemplateContent(1)',
  "$t=$x.GetElementsByTagName('text')",
  '[void]$t[0].AppendChild($x.CreateTextNode($env:SAGASMITH_TITLE))',
  '[void]$t[1].AppendChild($x.CreateTextNode($env:SAGASMITH_MESSAGE))',
  "[Windows.UI.Notifications.ToastNotificationManager]::CreateToastNotifier('Sagasmith').Show($x)",
].join(';')

/** What shows it on a system. */
export function notifyingProgram(platform: NodeJS.Platform, parameters: NotifyParameters): Program {
  const title = parameters.title === '' ? titleDefault : parameters.title.slice(0, 200)
  const message = parameters.message.slice(0, 1_000)
  if (platform === 'darwin') {
    const script = [
      ...['-e', 'on run argv', '-e', 'display notification (item 2 of argv) with title (item 1 of argv)'],
      ...['-e', 'end run'],
    ]
    return { file: 'osascript', args: [...script, title, message], env: {} }
  }
  if (platform === 'win32') {
    const env = { SAGASMITH_TITLE: title, SAGASMITH_MESSAGE: message }
    return { file: 'powershell.exe', args: ['-NoProfile', '-NonInteractive', '-Command', toast], env }
  }
  return { file: 'notify-send', args: ['--app-name=Sagasmith', '--', title, message], env: {} }
}

/** Of the engine's environment: what finds the program and the person's desktop. */
const passedOn = [
  'PATH',
  'HOME',
  'DISPLAY',
  'WAYLAND_DISPLAY',
  'XDG_RUNTIME_DIR',
  'DBUS_SESSION_BUS_ADDRESS',
  'SystemRoot',
]

/** Shows it. Throws `command_not_found` where nothing can. */
export function shownOnDesktop(
  parameters: NotifyParameters,
  environment: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
): Promise<void> {
  const { file, args, env } = notifyingProgram(process.platform, parameters)
  const given = passedOn.flatMap((name) => {
    const value = environment[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, {
      env: { ...Object.fromEntries(given), ...env },
      stdio: 'ignore',
      signal,
      killSignal: 'SIGKILL',
      windowsHide: true,
    })
    const failed = (reason: string, cause: unknown = null) =>
      reject(
        new SagasmithError('command_not_found', {
          message: `This computer can’t show a notification: ${file} ${reason}.`,
          hint: 'On Linux install libnotify-bin; on a server without a desktop, choose another way.',
          details: { program: file, reason },
          cause,
        }),
      )
    child.once('error', (error) => failed('could not be started', error))
    child.once('close', (code) => (code === 0 ? resolve() : failed(`ended with ${code}`)))
  })
}
