/** The same message in the words of each service. Nothing in it addresses anybody or becomes a command. */

import type { NotifyParameters } from './spec.ts'

type Message = Pick<NotifyParameters, 'title' | 'message' | 'link'>

const cut = (text: string, lengthMax: number): string =>
  text.length <= lengthMax ? text : `${text.slice(0, lengthMax - 1)}…`

/** `&`, `<` and `>` begin mentions and links there. */
const slackText = (text: string): string =>
  text.replace(/[&<>]/g, (mark) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[mark] ?? '')

/** For an incoming webhook. */
export function slackMessage({ title, message, link }: Message) {
  const lines = [title === '' ? '' : `*${slackText(title)}*`, slackText(message), slackText(link)]
  return {
    text: cut(lines.filter((line) => line !== '').join('\n'), 30_000),
    mrkdwn: true,
    unfurl_links: false,
  }
}

/** An adaptive card, for a workflow with a webhook. */
export function teamsMessage({ title, message, link }: Message) {
  const text = (words: string, more: object = {}) => ({
    type: 'TextBlock',
    text: cut(words, 20_000),
    wrap: true,
    ...more,
  })
  return {
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        content: {
          type: 'AdaptiveCard',
          version: '1.4',
          body: [...(title === '' ? [] : [text(title, { weight: 'Bolder', size: 'Medium' })]), text(message)],
          ...(link === '' ? {} : { actions: [{ type: 'Action.OpenUrl', title: 'Open', url: link }] }),
        },
      },
    ],
  }
}

/** For a webhook; `allowed_mentions` is what keeps `@everyone` a word. */
export function discordMessage({ title, message, link }: Message) {
  const lines = [title === '' ? '' : `**${title}**`, message, link].filter((line) => line !== '')
  return { content: cut(lines.join('\n'), 2_000), allowed_mentions: { parse: [] } }
}

const priorities = { min: 1, low: 2, default: 3, high: 4, max: 5 } as const

/** For a server's root address. */
export function ntfyMessage(
  { topic, priority }: { readonly topic: string; readonly priority: keyof typeof priorities },
  { title, message, link }: Message,
) {
  return {
    topic,
    message: cut(message, 4_000),
    priority: priorities[priority],
    ...(title === '' ? {} : { title: cut(title, 250) }),
    ...(link === '' ? {} : { click: link }),
  }
}
