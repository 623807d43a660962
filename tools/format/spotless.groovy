// SPDX-License-Identifier: Apache-2.0
// google-java-format as a step of Spotless, whichever JDK Maven runs on. The formatter parses with the
// javac of the JVM it runs in, and the javac of an older one does not know the syntax of Java 25; so it
// runs in a JVM of the JDK 25, started once per module and asked for one file after the other.
// Evaluates to a closure: source in, formatted source out. `jar` is google-java-format with all it needs.

def version = { File home ->
  def release = new File(home, 'release')
  def found = release.file ? (release.text =~ /JAVA_VERSION="(\d+)/) : null
  found?.find() ? found.group(1) as int : 0
}

// This JVM, the JDKs that the toolchains plugin was told of or has found, and the neighbours of this JVM.
def running = new File(System.getProperty('java.home'))
def m2 = new File(System.getProperty('user.home'), '.m2')
def known = ['toolchains.xml', 'discovered-jdk-toolchains-cache.xml']
    .collect { new File(m2, it) }
    .findAll { it.file }
    .collectMany { it.text.findAll(/<jdkHome>(.*?)<\/jdkHome>/) { new File(it[1]) } }
def neighbours = running.parentFile.listFiles()?.toList() ?: []
def home = ([running] + known + neighbours).find { version(it) >= 25 }
if (home == null) throw new IllegalStateException('no JDK 25 to format with: run "mvn validate" once')

def exports = ['api', 'code', 'file', 'parser', 'tree', 'util']
    .collect { '--add-exports=jdk.compiler/com.sun.tools.javac.' + it + '=ALL-UNNAMED' }
def command = [new File(home, 'bin/java').path, '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'] +
    exports + ['-cp', jar, new File(directory, 'FormatServer.java').path]

// It ends when its input does, and its input ends with this JVM.
def server = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start()
def questions = new DataOutputStream(new BufferedOutputStream(server.outputStream))
def answers = new DataInputStream(new BufferedInputStream(server.inputStream))

return { String source ->
  def bytes = source.getBytes('UTF-8')
  questions.writeInt(bytes.length)
  questions.write(bytes)
  questions.flush()
  def parsed = answers.readBoolean()
  def text = new String(answers.readNBytes(answers.readInt()), 'UTF-8')
  if (!parsed) throw new IllegalArgumentException(text)
  text
}
