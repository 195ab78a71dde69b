// Programs besides assistants that read memories: what each needs, as text to paste.

import type * as v from 'valibot';

import { KEY_PLACEHOLDER, type AgentSetup } from '../contract/records.ts';

type Setup = v.InferOutput<typeof AgentSetup>;

/** Returns the configurations of programs for the API at an address. */
export function programSetups(apiUrl: string): Setup[] {
  const memories = `${apiUrl}/memories`;
  return [
    {
      client: 'curl',
      kind: 'program',
      place: 'a terminal',
      text: `curl -H "Authorization: Bearer ${KEY_PLACEHOLDER}" "${memories}?limit=1"`,
      reads: 'all',
      afterwards: null,
    },
    {
      client: 'Python',
      kind: 'program',
      place: 'a file, and run it with Python 3',
      text: lines(
        'import json, urllib.request',
        '',
        'request = urllib.request.Request(',
        `    "${memories}?limit=20&fields=name,started_at",`,
        `    headers={"Authorization": "Bearer ${KEY_PLACEHOLDER}"},`,
        ')',
        'with urllib.request.urlopen(request) as response:',
        '    for memory in json.load(response):',
        '        print(memory["started_at"], memory["name"])',
      ),
      reads: 'all',
      afterwards: null,
    },
    {
      client: 'Home Assistant',
      kind: 'program',
      place: 'configuration.yaml',
      text: lines(
        'sensor:',
        '  - platform: rest',
        '    name: Latest memory',
        `    resource: "${memories}?limit=1&fields=name,started_at"`,
        '    headers:',
        `      Authorization: "Bearer ${KEY_PLACEHOLDER}"`,
        // A state has at most 255 characters.
        '    value_template: "{{ value_json[0].name[:255] if value_json else \'none\' }}"',
        '    json_attributes_path: "$.[0]"',
        '    json_attributes:',
        '      - started_at',
        '    scan_interval: 300',
      ),
      reads: 'summaries',
      afterwards:
        'Restart Home Assistant. In a container, replace localhost by the address of this machine.',
    },
    {
      client: 'Obsidian',
      kind: 'program',
      place:
        'a file such as memories.py on the machine of your vault, with the folder of the vault',
      text: obsidianScript(apiUrl),
      reads: 'summaries',
      afterwards:
        'Run it with Python 3, by hand or each hour with cron or the Task Scheduler. It writes a note for each memory, with a link to its transcript. The folder is for these notes alone.',
    },
    {
      client: 'n8n',
      kind: 'program',
      place: 'a node “HTTP Request”',
      text: lines(
        'Method: GET',
        `URL: ${memories}?limit=100`,
        'Authentication: Generic Credential Type, Header Auth',
        'Header name: Authorization',
        `Header value: Bearer ${KEY_PLACEHOLDER}`,
        'Response format: JSON',
      ),
      reads: 'all',
      afterwards: 'Execute the node once.',
    },
  ];
}

/** Returns a script that writes notes: their names have no character that Windows or a link of Obsidian forbids. */
function obsidianScript(apiUrl: string): string {
  return lines(
    'import json, pathlib, re, urllib.request',
    '',
    'folder = pathlib.Path("~/Obsidian/Memories").expanduser()',
    'request = urllib.request.Request(',
    `    "${apiUrl}/memories?fields=id,name,started_at,summary",`,
    `    headers={"Authorization": "Bearer ${KEY_PLACEHOLDER}"},`,
    ')',
    'folder.mkdir(parents=True, exist_ok=True)',
    'with urllib.request.urlopen(request) as response:',
    '    memories = json.load(response)',
    'for memory in memories:',
    '    day, summary = memory["started_at"][:10], memory["summary"]',
    '    name = re.sub(r\'[\\\\/:*?"<>|#^\\[\\]\\x00-\\x1f]\', "_", memory["name"])',
    '    name = name.encode()[:90].decode(errors="ignore").strip()',
    '    points = "".join(f"- {point}\\n" for point in summary["key_takeaways"])',
    `    link = "${apiUrl.replace(/v1$/, 'app/m/')}" + memory["id"]`,
    '    text = f"{summary[\'quick_summary\']}\\n\\n{points}\\n[Transcript]({link})\\n"',
    '    note = folder / f"{day} {name} {memory[\'id\']}.md"',
    '    note.write_text(text, encoding="utf-8")',
  );
}

function lines(...texts: string[]): string {
  return texts.join('\n');
}
