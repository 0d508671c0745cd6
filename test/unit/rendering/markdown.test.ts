/* biome-ignore-all lint/suspicious/noTemplateCurlyInString: SilverBullet writes its expressions so */
import t from 'tap'
import { parseDocument } from '../../../engine/rendering/document.js'
import { rounds } from '../../rounds.js'

/** The notes that exist. */
const NOTES: Record<string, string> = {
  Home: '/d/Home.md',
  'work/plan.md': '/d/work/plan.md',
  '/work/plan.md': '/d/top.md',
  '../a b.md': '/d/a%20b.md',
}
const resolve = (target: string) => {
  if (target === 'pics/lamp.png') return { href: '/i/lamp.png', isImage: true as const }
  return NOTES[target] === undefined ? null : { href: NOTES[target] }
}
const LAMP = '<a class="embed" href="/i/lamp.png"><img src="/i/lamp.png"'
const render = (text: string) => parseDocument('markdown', text).render({ resolve, passages: [] })

const CASES: Record<string, [text: string, html: string]> = {
  'a wikilink': ['[[Home]]', '<p><a href="/d/Home.md">Home</a></p>'],
  'a wikilink with heading and label': [
    '[[Home#First steps|start]]',
    '<p><a href="/d/Home.md#h-first-steps">start</a></p>',
  ],
  'a wikilink within the note': ['[[#First steps]]', '<p><a href="#h-first-steps">First steps</a></p>'],
  'a wikilink to a heading in a heading': ['[[Home#A#B]]', '<p><a href="/d/Home.md#h-b">Home › B</a></p>'],
  'a block and a link to it': [
    'a ^x1\n\n![[cat.png]]^y\n\n[[Home#^x1|b]]',
    '<p>a <span id="b-x1"><span hidden>x1</span></span></p>\n<p><span class="image">cat.png</span><span id="b-y"><span hidden>y</span></span></p>\n<p><a href="/d/Home.md#b-x1">b</a></p>',
  ],
  'links as programs of websites write them': [
    "[a]({{ '/work/plan.md#b' | relative_url }}) [b]({{site.baseurl}}/work/plan.md) [c](@/work/plan.md) [d]({{ site.x }}/y)",
    '<p><a href="/d/top.md#h-b">a</a> <a href="/d/top.md">b</a> <a href="/d/top.md">c</a> <span class="dead">d</span></p>',
  ],
  'a target with spaces': [
    '[b](../a b.md) ![cat](my cat.png)',
    '<p><a href="/d/a%20b.md">b</a> <span class="image">cat</span></p>',
  ],
  'emphasis that ends in a full stop beside Chinese, Japanese or Korean': [
    '他说**真。**她。これは**「強調」**です *네.*가 ~~旧。~~新',
    '<p>他说<strong>真。</strong>她。これは<strong>「強調」</strong>です <em>네.</em>가 <s>旧。</s>新</p>',
  ],
  'emphasis beside other letters, as CommonMark says': [
    '**true.**she a*b*c a_b_c **(x)**y',
    '<p>**true.**she a<em>b</em>c a_b_c **(x)**y</p>',
  ],
  'links in properties': [
    '---\nup: "[[Home]]"\nrelated:\n  - "[[Nowhere]]"\n  - <b>\n---\nText.',
    '<dl class="properties"><dt>up</dt><dd><a href="/d/Home.md">Home</a></dd><dt>related</dt><dd><span class="dead">Nowhere</span>, &lt;b&gt;</dd></dl><p>Text.</p>',
  ],
  'addresses and other links in properties': [
    '---\nsource: https://example.org/a_b\nin: "[plan](work/plan.md), [x](zotero://a), [y](javascript:alert(1)) *z*"\n---\n',
    '<dl class="properties"><dt>source</dt><dd><a href="https://example.org/a_b" rel="noreferrer nofollow">https://example.org/a_b</a></dd><dt>in</dt><dd><a href="/d/work/plan.md">plan</a>, <span class="dead">x</span>, <span class="dead">y</span> *z*</dd></dl>',
  ],
  'unquoted links in properties': [
    '---\nup: [[Home]] # c\nrelated:\n  - [[Home|the, house]]\n  - [ [[Nowhere]], b ]\nno: [[a, b], [c]]\n---\nText.',
    '<dl class="properties"><dt>up</dt><dd><a href="/d/Home.md">Home</a></dd><dt></dt><dd class="comment">c</dd><dt>related</dt><dd><a href="/d/Home.md">the, house</a>, <span class="dead">Nowhere</span>, b</dd><dt>no</dt><dd>a, b, c</dd></dl><p>Text.</p>',
  ],
  'Markdown in a component of MDX': [
    '<Note>\n#### See [b](../a b.md) {/*b*/}\n\nText.\n</Note>\n{/* a comment */}',
    '<h2 id="h-b">See <a href="/d/a%20b.md">b</a> <span hidden> b </span></h2>\n<p>Text.</p>\n<p class="raw"><span class="comment">a comment</span></p>',
  ],
  'components of MDX in a line': [
    'A <Tip text="x > y">*b*</Tip> <Icon name="c" />\n<Tabs.Tab a={{ b: 1 }}>d</Tabs.Tab> `<Tip>`\n\n<Note>\ntext</Note>\n\n- <Item>e</Item><BR/>f',
    '<p>A <span hidden> text=&quot;x   y&quot; </span><em>b</em> <span hidden> name=&quot;c&quot; </span>\n<span hidden> a=   b  1 </span>d <code>&lt;Tip&gt;</code></p>\n<p>text</p>\n<ul>\n<li>e\nf</li>\n</ul>',
  ],
  'a component that has a title': [
    '<Listing number="1" caption="Of a `Box<T>`">\n\nText <Tip title=\'T\' icon="i"/>\n\n</Listing>',
    '<p class="raw">Of a <code>Box&lt;T&gt;</code><span hidden> number=&quot;1&quot; </span></p>\n<p>Text T<span hidden> icon=&quot;i&quot; </span></p>',
  ],
  'imports of MDX': [
    "import A from '~/a.astro'\nimport {\n  B,\n} from \"b\";\n\nText.\nimport a from 'b'",
    "<span hidden> import A from '  a.astro' </span><span hidden> import  \n  B \n  from &quot;b&quot; </span><p>Text.\nimport a from 'b'</p>",
  ],
  'more imports in a line, and exports': [
    "import A from 'a'; import B from 'b'\n\nexport const c = {\n\n  d: [1],\n}\n\nexport default is a word.",
    "<span hidden> import A from 'a'  import B from 'b' </span><span hidden> export const c =  \n\n  d   1 </span><p>export default is a word.</p>",
  ],
  'HTML as JSX has it': [
    'a{" "}\n<img style={{ width: 1 }} width={80} src={require("pics/lamp.png").default} /> <a onClick={() => 1}>b</a>\n<>\n*c*\n</>',
    '<p>a \n<span hidden> img style=   width  1    width= 80  src= require &quot;pics lamp.png&quot; .default </span><img src="/i/lamp.png" alt="" loading="lazy" width="80"> <span hidden> a onClick=    =  1 </span>b</p>\n<p><em>c</em></p>',
  ],
  'scripts, styles and programs in HTML': [
    "<script setup>\nimport a from 'b'\n\nc()\n</script>\n\n<table>\n{% if d %}<b>{{ e.f }}</b>\n<style>g {}</style>{' '}h\n</table>",
    '<span hidden> script setup \nimport a from \'b\'\n\nc  \n  script </span><p class="raw"><code class="program">{% if d %}</code><code class="program">{{ e.f }}</code>\n<span hidden> style g     style </span> h</p>',
  ],
  'other files and modules in their places': [
    'a\n<<< @/b.js{2}\n\n--8<-- "c.md"\n\n::: d.E\n    options:\n      f: 1\n\ng',
    '<p>a</p>\n<pre><code class="program">&lt;&lt;&lt; @/b.js{2}\n</code></pre>\n<pre><code class="program">--8&lt;-- &quot;c.md&quot;\n</code></pre>\n<pre><code class="program">::: d.E\n    options:\n      f: 1\n</code></pre>\n<p>g</p>',
  ],
  'boxes of slashes': [
    '/// tip | Try\n*a*\n///\n\n//// details\n/// note\nb\n///\n////\n\n/// A comment.',
    '<span hidden> tip </span><blockquote class="callout callout-tip">\n<p class="callout-title">Try</p>\n<p><em>a</em></p>\n</blockquote>\n<blockquote class="callout callout-details">\n<p class="callout-title">Details</p>\n<blockquote class="callout callout-note">\n<p class="callout-title">Note</p>\n<p>b</p>\n</blockquote>\n</blockquote>\n<p>/// A comment.</p>',
  ],
  'Markdown below a tag of HTML': [
    '<p align="center">\n**a**<br />\nb\n</p>\n\n<div>\n  <b>c</b>\n</div>\n\n<details>\n<summary>*d*</summary>\n`e`\n</details>',
    '<p><strong>a</strong>\n\nb</p>\n<p class="raw">c</p>\n<p>\n<em>d</em>\n</p>\n<p><code>e</code></p>',
  ],
  'components of Nuxt': [
    '::card-group\n::card{title="Go" to="/work/plan.md"}\n*a*\n::\n::\n\n::tip{icon="b"}\nc\n::\n\n:see{to="../a b.md" d="e"}',
    '<span hidden> card-group </span><span hidden> card title=&quot; &quot; to=&quot; work plan.md&quot; </span><p class="callout-title"><a href="/d/top.md">Go</a></p>\n<p><em>a</em></p>\n<span hidden> icon=&quot;b&quot; </span><blockquote class="callout callout-tip">\n<p class="callout-title">Tip</p>\n<p>c</p>\n</blockquote>\n<span hidden> see to=&quot; &quot; d=&quot;e&quot; </span><p class="callout-title"><a href="/d/a%20b.md">../a b.md</a></p>',
  ],
  'links of HTML': [
    '<a href="Home">a <b>b</b></a> <a href="x.md">c</a> [<a href="Home">d</a>](../a%20b.md) <a>e</a></a>\n\n<div><a href="work/plan.md#Next">f <img src="pics/lamp.png"></a><a href="//example.org?a&b">g</a><a href="javascript:h()">h</a></div>',
    `<p><a href="/d/Home.md">a b</a> <span class="dead">c</span> <a href="/d/a%20b.md">d</a> e</p>\n<p class="raw"><a href="/d/work/plan.md#h-next">f <img src="/i/lamp.png" alt="" loading="lazy"></a><a href="https://example.org?a&amp;b" rel="noreferrer nofollow">g</a><span class="dead">h</span></p>`,
  ],
  'places that are named': [
    '# A - b {#first}\n\n<a name="Second one"></a>c [*d*]{#third .e} [f]{g}\n{: #fourth}\n\n<div id="fifth">h</div>\n\n[i](#a--b)',
    '<h2 id="h-first">A - b <span hidden> #first </span></h2>\n<p><span id="h-second"></span>c <em>d</em><span id="h-third"></span><span hidden> #third .e </span> [f]{g}\n<span id="h-fourth"></span><span hidden> #fourth </span></p>\n<p class="raw"><span id="h-fifth"></span>\nh</p>\n<p><a href="#h-a-b">i</a></p>',
  ],
  'entities in HTML': [
    '<div><b>a</b>&nbsp;&lt;b&gt; &amp;amp; &#38; &nope; <img alt="&quot;c&quot;"></div>',
    '<p class="raw">a\u00a0&lt;b&gt; &amp;amp; &amp; &amp;nope; <span class="image">&quot;c&quot;</span></p>',
  ],
  'the name of code': [
    '```js title="a b.js" {1}\nx\n```\n\n~~~ {.yaml filename=c.yml}\ny\n~~~',
    '<p class="code-name">a b.js</p>\n<pre><code class="language-js">x\n</code></pre><span hidden> 1 </span>\n<p class="code-name">c.yml</p>\n<pre><code>y\n</code></pre><span hidden> .yaml </span>',
  ],
  'parts and boxes of Quarto': [
    '::: {.columns}\n::: {}\n*a*\n:::\n:::: {.callout-tip title="Try"}\nb\n::::  \n:::\nc',
    '<span hidden> .columns </span><p><em>a</em></p>\n<span hidden> .callout-tip title=&quot;Try&quot; </span><blockquote class="callout callout-tip">\n<p class="callout-title">Try</p>\n<p>b</p>\n</blockquote>\n<p>c</p>',
  ],
  'comments of properties in their places': [
    '---\n# one\na: 1 # two\nb:\n  # three\n  - 2\n# four\n---\n',
    '<dl class="properties"><dt></dt><dd class="comment">one</dd><dt>a</dt><dd>1</dd><dt></dt><dd class="comment">two</dd><dt>b</dt><dd>2</dd><dt></dt><dd class="comment">three</dd><dt></dt><dd class="comment">four</dd></dl>',
  ],
  'tags in a line that are no components': [
    'Vec<T>, Map<K, Vec<T>> and <Tip>\n\nx <Note> y</Note>',
    '<p>Vec&lt;T&gt;, Map&lt;K, Vec&lt;T&gt;&gt; and &lt;Tip&gt;</p>\n<p>x  y</p>',
  ],
  'a formula of several lines within one': [
    'So:$$\\begin{align}\np &= q \\\\\n\\end{align}$$ and $$ x < 1 $$',
    '<p>So:<code class="math">\\begin{align}\np &amp;= q \\\\\n\\end{align}</code> and <code class="math">x &lt; 1</code></p>',
  ],
  'a dead wikilink': ['[[Nowhere]]', '<p><span class="dead">Nowhere</span></p>'],
  'an embedded note': ['![[Home]]', '<p><a class="embed" href="/d/Home.md">Home</a></p>'],
  'an embedded picture': ['![[cat.png|300]]', '<p><span class="image">cat.png</span></p>'],
  'an embedded picture of the Safe': [
    '![[pics/lamp.png|80x40]]',
    `<p>${LAMP} alt="pics/lamp.png" loading="lazy" width="80"></a></p>`,
  ],
  'a picture of the Safe': [
    '![A "lamp"](pics/lamp.png?raw=true)',
    `<p>${LAMP} alt="A &quot;lamp&quot;" loading="lazy"></a></p>`,
  ],
  'a picture of the Safe in a link': [
    '[![](pics/lamp.png)](Home)',
    '<p><a href="/d/Home.md"><img src="/i/lamp.png" alt="lamp.png" loading="lazy"></a></p>',
  ],
  'a picture of the Safe in HTML': [
    '<p align="center">\n<img onerror="alert(1)" src="pics/lamp.png" alt="On" width="9px">\n</p>',
    `<p class="raw">${LAMP} alt="On" loading="lazy" width="9"></a></p>`,
  ],
  'a link to a picture of the Safe': ['[lamp](pics/lamp.png)', '<p><a href="/i/lamp.png">lamp</a></p>'],
  'a wikilink in a table': [
    '| a |\n| --- |\n| [[Home\\|x]] |',
    '<div class="scroll" tabindex="0"><table>\n<thead>\n<tr>\n<th>a</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td><a href="/d/Home.md">x</a></td>\n</tr>\n</tbody>\n</table></div>',
  ],
  'a relative link': ['[b](../a%20b.md#Top)', '<p><a href="/d/a%20b.md#h-top">b</a></p>'],
  'a dead relative link': ['[b](c.md)', '<p><span class="dead">b</span></p>'],
  'a link to the web': [
    '<https://a.example/?a=1&b=2>',
    '<p><a href="https://a.example/?a=1&amp;b=2" rel="noreferrer nofollow">https://a.example/?a=1&amp;b=2</a></p>',
  ],
  'an address in the text': [
    'see https://a.example.',
    '<p>see <a href="https://a.example" rel="noreferrer nofollow">https://a.example</a>.</p>',
  ],
  'a picture of the web': [
    '![cat](https://a.example/c.png)',
    '<p><a href="https://a.example/c.png" rel="noreferrer nofollow"><span class="image">cat</span></a></p>',
  ],
  'a picture in a link': [
    '[![cat](c.png)](Home)',
    '<p><a href="/d/Home.md"><span class="image">cat</span></a></p>',
  ],
  tasks: ['- [ ] a\n- [x] b', '<ul>\n<li class="task">☐ a</li>\n<li class="task">☑ b</li>\n</ul>'],
  'a callout': [
    '> [!tip] Try\n> this',
    '<blockquote class="callout callout-tip">\n<p class="callout-title">\n<span hidden> tip </span>Try</p>\n<p>this</p>\n</blockquote>',
  ],
  'a callout without a title': [
    '> [!WARNING]\n> hot',
    '<blockquote class="callout callout-warning">\n<p class="callout-title">Warning</p>\n<p>hot</p>\n</blockquote>',
  ],
  'callouts of kinds that are words, and with a style': [
    '> [!What REST is]\n> a\n\n> [!note|wide no-title] T\n\n> [!tip](x)',
    '<blockquote class="callout callout-what-rest-is">\n<p class="callout-title">What REST is</p>\n<p>a</p>\n</blockquote>\n<blockquote class="callout callout-note">\n<p class="callout-title">\n<span hidden> note wide no-title </span>T</p>\n</blockquote>\n<blockquote>\n<p><span class="dead">!tip</span></p>\n</blockquote>',
  ],
  'a box of MkDocs': [
    '!!! tip "Try"\n    - this\n\nout',
    '<span hidden> tip </span><blockquote class="callout callout-tip">\n<p class="callout-title">Try</p>\n<ul>\n<li>this</li>\n</ul>\n</blockquote>\n<p>out</p>',
  ],
  'a tab of MkDocs': [
    '=== "Linux"\n    ```sh\n    ls\n    ```',
    '<blockquote class="callout callout-tab">\n<p class="callout-title">Linux</p>\n<pre><code class="language-sh">ls\n</code></pre>\n</blockquote>',
  ],
  'no box': ['!!! wow\nout', '<p>!!! wow\nout</p>'],
  'a box of colons': [
    ':::tip[Try]\n*this*\n:::\nout',
    '<span hidden> tip </span><blockquote class="callout callout-tip">\n<p class="callout-title">Try</p>\n<p><em>this</em></p>\n</blockquote>\n<p>out</p>',
  ],
  'code of Org mode': [
    '#+BEGIN_SRC js\na*b*\n#+END_SRC',
    '<span hidden> # BEGIN_SRC js </span><pre><code class="language-js">a*b*\n</code></pre>\n<span hidden> # END_SRC </span>',
  ],
  'a heading with a name': [
    '# A {#the-name .x}\n# B {#é–b}',
    '<h2 id="h-the-name">A <span hidden> #the-name .x </span></h2>\n<h2 id="h-éb">B <span hidden> #é b </span></h2>',
  ],
  'attributes behind a link': [
    '[a](Home){ .b } {c}',
    '<p><a href="/d/Home.md">a</a><span hidden> .b </span> {c}</p>',
  ],
  'an icon': [
    ':material-check: :no-icon:',
    '<p><span class="image"><span hidden>material-</span>check</span> :no-icon:</p>',
  ],
  programs: [
    '{{query (a *b*)}} ${f(1)} {{embed [[Home]]}}{{< /x >}}',
    '<p><code class="program">{{query (a *b*)}}</code> <code class="program">${f(1)}</code> <a class="embed" href="/d/Home.md">Home</a><span hidden> x </span></p>',
  ],
  'shortcodes around text, in one another': [
    'a\n{{< tabs >}}\n{{< tab title="Linux" >}}\n*b*\n{{< /tab >}}\n{{< /tabs >}}\n\n{{% alert color="warning" %}}\nc\n{{% /alert %}}\n\n- {{< note >}}\n  d\n  {{< /note >}}',
    '<p>a</p>\n<span hidden> tabs </span><span hidden> tab title=&quot; &quot; </span><blockquote class="callout callout-tab">\n<p class="callout-title">Linux</p>\n<p><em>b</em></p>\n</blockquote>\n<span hidden> tab </span><span hidden> tabs </span><span hidden> alert color=&quot;warning&quot; </span><blockquote class="callout callout-alert">\n<p class="callout-title">Alert</p>\n<p>c</p>\n</blockquote>\n<span hidden> alert </span><ul>\n<li>\n<span hidden> note </span><blockquote class="callout callout-note">\n<p class="callout-title">Note</p>\n<p>d</p>\n</blockquote>\n<span hidden> note </span></li>\n</ul>',
  ],
  'shortcodes in a line': [
    '{{< icon name="check" >}} Yes {{< button href="a" >}}b{{< /button >}} {{<toc/>}} {{< term text="pod" id="p" >}} {{< youtube x1 >}}\n{{< figure src="pics/lamp.png" caption="A lamp" >}} {{</* kept */>}}',
    `<p><span hidden> icon name=&quot; &quot; </span>check Yes <span hidden> button href=&quot;a&quot; </span>b<span hidden> button </span> <code class="program">toc</code> <span hidden> term text=&quot; &quot; id=&quot;p&quot; </span>pod <a href="https://www.youtube.com/watch?v=x1" rel="noreferrer nofollow">https://www.youtube.com/watch?v=x1</a>\n<span hidden> figure src=&quot;pics lamp.png&quot; caption=&quot;A lamp&quot; </span>${LAMP} alt="A lamp" loading="lazy"></a> <code class="program">{{&lt;/* kept */&gt;}}</code></p>`,
  ],
  'code in a shortcode': [
    '{{< highlight js "linenos=true" >}}\na*b*\n{{< /highlight >}}',
    '<span hidden> highlight js &quot;linenos=true&quot; </span><pre><code class="language-js">a*b*\n</code></pre>\n<span hidden> highlight </span>',
  ],
  'a shortcode that closes itself begins no code': [
    '{{< code-toggle config="a" />}}\n\n*b*\n\n{{< code-toggle >}}\nc: d\n{{< /code-toggle >}}',
    '<p><code class="program">code-toggle config=&quot;a&quot;</code></p>\n<p><em>b</em></p>\n<span hidden> code-toggle </span><pre><code>c: d\n</code></pre>\n<span hidden> code-toggle </span>',
  ],
  'tags of a div on lines of their own, one of them too many': [
    '::: {.panel title="A"}\nb\n:::\n:::',
    '<span hidden> .panel title=&quot; &quot; </span><p class="callout-title">A</p>\n<p>b</p>',
  ],
  'a component of Nuxt without an end': ['::f\ng', '<p>::f\ng</p>'],
  'a shortcode of several lines, and one without an end': [
    '{{< figure\n  src="pics/lamp.png"\n  alt="On" >}}\n\n{{< note >}}\na',
    `<p><span hidden> figure\n  src=&quot;pics lamp.png&quot;\n  alt=&quot;On&quot; </span>${LAMP} alt="On" loading="lazy"></a></p>\n<p><code class="program">note</code>\na</p>`,
  ],
  'a program of several lines': [
    '${query[[\n* a\n]]}\nout',
    '<pre><code class="program">${query[[\n* a\n]]}\n</code></pre>\n<p>out</p>',
  ],
  'when a task is due': [
    'TODO a\nSCHEDULED: <2026-05-31 Mon>',
    '<p>TODO a\n<span class="property">SCHEDULED:</span> 2026-05-31 Mon</p>',
  ],
  'a frame': [
    '<iframe src="https://a.example/film"></iframe>',
    '<p class="raw"><a href="https://a.example/film" rel="noreferrer nofollow">https://a.example/film</a></p>',
  ],
  'formulas and money': ['$a_1$ costs $5 and $6', '<p><code class="math">a_1</code> costs $5 and $6</p>'],
  'a block of formulas': ['$$\na_1 < b\n$$', '<pre><code class="math">a_1 &lt; b\n</code></pre>'],
  'a formula on a line of its own': ['$$ a_1 $$', '<pre><code class="math">a_1\n</code></pre>'],
  'properties of a line': [
    'alias:: [[Home]]\n  tags:: b\nstd::x a:: b',
    '<p><span class="property">alias:</span> <a href="/d/Home.md">Home</a>\n<span class="property">tags:</span> b\nstd::x a:: b</p>',
  ],
  'highlights and comments': [
    '==a *b*== ^^d^^ 2^^3 %%c%%',
    '<p><mark>a <em>b</em></mark> <mark>d</mark> 2^^3 <span class="comment">c</span></p>',
  ],
  'a comment of several lines': [
    '%%\n*a*\n%%',
    '<blockquote class="callout callout-comment">\n<p><em>a</em></p>\n</blockquote>',
  ],
  'a comment of several lines whose first has words': [
    '%% b *c* d\n\n- e\n%%\n\n%% f %% g\n\n%% h',
    '<blockquote class="callout callout-comment">\n<p class="callout-title">b <em>c</em> d</p>\n<ul>\n<li>e</li>\n</ul>\n</blockquote>\n<p><span class="comment"> f </span> g</p>\n<p>%% h</p>',
  ],
  code: [
    '```ts x="1"\na<b\n```',
    '<pre><code class="language-ts">a&lt;b\n</code></pre><span hidden> x=&quot;1&quot; </span>',
  ],
  'strike-through': ['~~a~~', '<p><s>a</s></p>'],
  'aligned columns': [
    '| a |\n| --: |\n| 1 |',
    '<div class="scroll" tabindex="0"><table>\n<thead>\n<tr>\n<th class="right">a</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td class="right">1</td>\n</tr>\n</tbody>\n</table></div>',
  ],
  'raw HTML': [
    '<div align="center"><b>a</b><br>b</div>\n\nx <kbd>c</kbd> <!-- d -->',
    '<p class="raw">a\nb</p>\n<p>x c <span class="comment">d</span></p>',
  ],
  'Markdown in HTML that asks for it': [
    '<div class="x" markdown>**b**</div>\n\n<details markdown="1"><summary>*c*</summary>\n**d**\n</details>\n\n<div title="down">**e**</div>',
    '<p>\n<strong>b</strong>\n</p>\n<p>\n\n<em>c</em>\n</p>\n<p><strong>d</strong></p>\n<p class="raw">**e**</p>',
  ],
  'cells of a table in HTML': [
    '<table><tr><th>a</th><th>b</th></tr><tr><td>c</td><td>d</td></tr></table>',
    '<p class="raw">a\u2003b\u2003\n\nc\u2003d</p>',
  ],
  'angle brackets that are no HTML': [
    'Map<Key, Value> and Vec<T>',
    '<p>Map&lt;Key, Value&gt; and Vec&lt;T&gt;</p>',
  ],
  'front matter': [
    '---\ntags: [a, b]\ndate: 2026-01-02 # <c>\n---\n# T',
    '<dl class="properties"><dt>tags</dt><dd>a, b</dd><dt>date</dt><dd>2026-01-02</dd><dt></dt><dd class="comment">&lt;c&gt;</dd></dl><h2 id="h-t">T</h2>',
  ],
  'front matter in TOML': [
    '+++\ntitle = "A \\"b\\"" # c\ndate = 2024-01-31\n\n[taxonomies]\ntags = [\n  "x, y", # d\n  \'z\'\n]\n+++\nx',
    '<dl class="properties"><dt>title</dt><dd>A &quot;b&quot;</dd><dt></dt><dd class="comment">c</dd><dt>date</dt><dd>2024-01-31</dd><dt></dt><dd class="comment">[taxonomies]</dd><dt>tags</dt><dd>x, y, z</dd><dt></dt><dd class="comment">d</dd></dl><p>x</p>',
  ],
  'front matter in TOML that YAML has no form for': [
    '+++\na = """b"""\n[[c]]\nd = 1\n+++\nx',
    '<dl class="properties"><dt></dt><dd>a = &quot;&quot;&quot;b&quot;&quot;&quot;</dd><dt></dt><dd><span class="dead">c</span></dd><dt>d</dt><dd>1</dd></dl><p>x</p>',
  ],
  'a paragraph between two rules': [
    '---\nA [[Home]]\n\nb\n\n---\nx',
    '<hr>\n<p>A <a href="/d/Home.md">Home</a></p>\n<p>b</p>\n<hr>\n<p>x</p>',
  ],
  'front matter without an end': ['---\na: b\n\nx', '<hr>\n<p>a: b</p>\n<p>x</p>'],
  'front matter with a line that is no property': [
    '---\na: b\nno property\nc: d\n---\nx',
    '<dl class="properties"><dt>a</dt><dd>b</dd><dt></dt><dd>no property</dd><dt>c</dt><dd>d</dd></dl><p>x</p>',
  ],
  'front matter that is no YAML': [
    '---\na: [\n---\nx',
    '<dl class="properties"><dt>a</dt><dd>[</dd></dl><p>x</p>',
  ],
  'maps and texts of several lines in front matter': [
    '---\nby:\n  - name: "Ada"\n    mail: a@b.c\n  - Bo\nis: long\n  and wide\nf:\n  g:\n    h: i\n---\nx',
    '<dl class="properties"><dt>by</dt><dd>name: Ada, mail: a@b.c, Bo</dd><dt>is</dt><dd>long and wide</dd><dt>f g</dt><dd></dd><dt>f h</dt><dd>i</dd></dl><p>x</p>',
  ],
}

for (const [name, [text, html]] of Object.entries(CASES))
  t.test(`Markdown: ${name}`, async t => t.equal(render(text).html.trim(), html))

t.test('line ends of a vault are shown, in callouts and lists, too', async t => {
  const text = 'a\nb\n\n- c\n  d\n\n> [!tip] T\n> e\n> f\n\n```\ng\nh\n```'
  const shown = (kind: 'markdown' | 'markdown-lines') =>
    parseDocument(kind, text).render({ resolve, passages: [] }).html
  t.notMatch(shown('markdown'), '<br>')
  for (const lines of ['<p>a<br>\nb</p>', '<li>c<br>\nd</li>', '<p>e<br>\nf</p>', 'g\nh\n'])
    t.match(shown('markdown-lines'), lines)
})

t.test('headings have ids, each once, and make the outline', async t => {
  t.same(
    render(
      '# A b!\n## A b\n### [[Home|*c*]]\n#### d {/*e*/}\n#### <b>V</b>ec<T> {/* f g */} <!-- h --><New>!</New>',
    ).outline,
    [
      { level: 1, text: 'A b!', id: 'h-a-b' },
      { level: 2, text: 'A b', id: 'h-a-b-1' },
      { level: 3, text: '*c*', id: 'h-c' },
      { level: 4, text: 'd', id: 'h-e' },
      { level: 4, text: 'Vec<T>  !', id: 'h-vect' },
    ],
  )
})

t.test('headings skip no level, and are below that of the page unless the text begins with it', async t => {
  const parsed = (title: string) =>
    parseDocument('markdown', '# A\n### B\n## C').render({ resolve, passages: [], title })
  t.match(parsed('A'), { hasTitle: true, html: /<h1 .*<h2 .*B.*<h2 .*C/s })
  t.match(parsed('Other'), { hasTitle: false, html: /<h2 .*<h3 .*B.*<h3 .*C/s })
  const shown = (text: string) =>
    [
      ...parseDocument('markdown', text)
        .render({ resolve, passages: [], title: 'T' })
        .html.matchAll(/<h(\d)/g),
    ].map(([, level]) => level)
  t.same(shown('## A\n\n## B\n\n### C\n\n## D'), ['2', '2', '3', '2'], 'siblings are alike')
  t.same(shown('# T\n\n### A\n\n### B\n\n## C'), ['1', '2', '2', '2'], 'also where a level is skipped')
})

t.test('each target of a link is asked for once', async t => {
  const { targets } = parseDocument(
    'markdown',
    '[[A]] [[A#b]] [x](b%20c.md#d) [y](https://a.example) [z](#top) <a@b.example>',
  )
  t.same(targets, ['A', 'b c.md'])
})

t.test('passages have places: sections, and items of a list', async t => {
  const text = '---\na: 1\n---\n# One\n\ntext\n\n## Two\n- first\n- second\n'
  const passages = [9, 4, 10, 8].map(line => ({ id: String(line), line }))
  const { html } = parseDocument('markdown', text).render({ resolve, passages })
  t.match(html, /<section class="place" id="p-4"><h2/)
  t.match(html, /<\/section><section class="place" id="p-8"><h3/)
  t.match(html, /<section class="place" id="p-9"><ul>/)
  t.match(html, /<li id="p-10">second/)
})

t.test('a passage that begins inside of a callout has the whole callout as its place', async t => {
  const passages = [{ id: '1', line: 4 }]
  const { html } = parseDocument('markdown', 'a\n\n> [!tip]\n> b\n\nc').render({ resolve, passages })
  t.match(html, /<section class="place" id="p-1"><blockquote[\s\S]*<p>b<\/p>\n<\/blockquote>\n<p>c<\/p>/)
})

/** None of these may reach the page as anything but text. */
const HOSTILE = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<iframe src="https://evil.example"></iframe>',
  '<form action="https://evil.example"><input name=password></form>',
  '<svg><script>alert(1)</script></svg>',
  '<a href="javascript:alert(1)">x</a>',
  '<style>*{display:none}</style>',
  '[x](javascript:alert(1))',
  '[x](JaVaScRiPt&colon;alert(1))',
  '[x](data:text/html,<script>alert(1)</script>)',
  '[x](vbscript:x "t")',
  '![x](data:image/svg+xml,<svg onload=alert(1)>)',
  '![x](https://evil.example/p.png)',
  '[x](\\\\evil.example\\share)',
  '[[x" onmouseover="alert(1)]]',
  '[[Home|<img src=x onerror=alert(1)>]]',
  '```x" onclick="alert(1)\ncode\n```',
  '# <img src=x onerror=alert(1)>',
  '---\na: "<script>alert(1)</script>"\n---\n',
  '---\na: &a [x,x]\nb: *a\n---\n',
  '> [!note" onclick="alert(1)] x',
  '> [!note] <script>alert(1)</script>',
  '| a |\n| - |\n| <img src=x onerror=alert(1)> |',
  '[^1]\n\n[^1]: <script>alert(1)</script>',
  '[^"onclick="alert(1)]\n\n[^"onclick="alert(1)]: x',
  '<div style="position:fixed" onclick="alert(1)">x</div>',
  '<!-- --><script>alert(1)</script>',
  '[x](java script:alert(1))',
  '![x](https://evil.example/a b.png)',
  '{{youtube javascript:alert(1)}} {{embed [["><img src=x onerror=alert(1)>]]}}',
  '<iframe src="javascript:alert(1)"></iframe>',
  '# a {#"onclick="alert(1)}',
  '!!! note" onclick="alert(1)\n    x',
  ':::note" onclick="x\n<script>alert(1)</script>\n:::',
  'a ^x"onclick=',
  '<a\nhref="javascript:alert(1)"\n>x</a>',
]
const ALLOWED =
  /^\/?(?:a|b|blockquote|br|code|dd|div|dl|dt|em|h[1-6]|hr|li|mark|ol|p|pre|s|section|span|strong|sup|table|tbody|td|th|thead|tr|ul)$/

const FORBIDDEN = /\b(?:on\w+|style|src|srcset|action|formaction)\b/i
const LINK = /^(?:https?:|mailto:|\/d\/|#)/

/** The tags that may run or load something. */
const harmIn = (html: string) =>
  [...html.matchAll(/<([^\s>]*)([^>]*)>/g)].flatMap(([whole, tag = '', attributes = '']) => {
    const [, href = '#'] = /href="([^"]*)"/.exec(attributes) ?? []
    const isForbidden = FORBIDDEN.test(attributes.replace(/"[^"]*"/g, '""'))
    return ALLOWED.test(tag) && !isForbidden && LINK.test(href) ? [] : [whole]
  })

for (const kind of ['markdown', 'html', 'text', 'data', 'chat', 'pdf', 'table'] as const)
  t.test(`hostile ${kind} has no scripts, handlers, forms, frames, styles and foreign pictures`, async t => {
    for (const text of HOSTILE) {
      const { html } = parseDocument(kind, text).render({ resolve, passages: [{ id: '1', line: 1 }] })
      t.same(harmIn(html), [], text)
    }
  })

/** In the deep tests; a tenth of it already finds wrong output. */
const many = (text: string, times: number) => text.repeat(times / rounds(10, 1))

/** Beginnings without an end: for each, a library may scan everything that follows. */
const LONG: Record<string, string> = {
  'opening brackets': many('[', 50_000),
  'opening wikilinks': many('[[', 50_000),
  'links without an end': many('[a](', 20_000),
  'quotations in quotations': many('>', 50_000),
  'lists in lists': Array.from({ length: 300 }, (_, depth) => `${' '.repeat(2 * depth)}- a`).join('\n'),
  asterisks: many('*a ', 50_000),
  'backticks of every length': Array.from({ length: 600 }, (_, at) => '`'.repeat(at + 1)).join(' '),
  'comments without an end': many('<!--', 50_000),
  'tags without an end': many('<a ', 50_000),
  dollars: many('$a ', 50_000),
  'highlights without an end': many('==a ', 50_000),
  footnotes: many('[^1]', 20_000),
  'programs without an end': many('{{a ${b ', 20_000),
  'shortcodes without an end': many('{{< a >}}\n', 20_000),
  'shortcodes in shortcodes': `${many('{{< a >}}\n', 2_000)}${many('{{< /a >}}\n', 2_000)}`,
  'scripts without an end': many('<script>a <!--', 10_000),
  'exports without an end': many('export const a = {\n', 10_000),
  'boxes without an end': many(':::a\n#+begin_src\n%% x\n%%\n!!! a\n    b\n', 5_000),
  'formulas without an end': many('$$ a\n', 20_000),
  'attributes without an end': many('{.a ', 20_000),
  'targets with spaces without an end': many('[a](b c ', 10_000),
  'a wide table': `${'|a'.repeat(5_000)}|\n${'|-'.repeat(5_000)}|\n${'|'.repeat(5_000)}`,
  'rules of tables': many('+-+\n', 20_000),
  'tables without an end': many('-----\na b\n-- --\na  b\n\n', 5_000),
  'rules with gaps': many('-- --\na  b\n', 10_000),
  'tables in tables': Array.from({ length: 60 }, (_, depth) => `${'|'.repeat(depth)}+--+--+`).join('\n'),
  'front matter without an end': `---\n${many('a: b\n', 20_000)}`,
}
for (const [name, text] of Object.entries(LONG))
  t.test(`every word of ${name} is shown`, async t => {
    const { html } = parseDocument('markdown', text).render({ resolve, passages: [] })
    t.ok(html.length > 0)
    t.ok(html.length < 50 * text.length, 'and not many times')
  })
