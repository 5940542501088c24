# To be sourced: makes projects find this folder as they find the vendor's toolkit. Doing it twice changes nothing more.
_sfumato_here=$(cd "$(dirname "${BASH_SOURCE:-$0}")" && pwd)
case $_sfumato_here in */bin) _sfumato_here=$(dirname "$_sfumato_here") ;; esac
export ASCEND_HOME_PATH=$_sfumato_here ASCEND_HOME_DIR=$_sfumato_here ASCEND_TOOLKIT_HOME=$_sfumato_here ASCEND_INSTALL_PATH=$_sfumato_here
case :$PATH: in *:$_sfumato_here/bin:*) ;; *) export PATH=$_sfumato_here/bin:$PATH ;; esac
case :${LD_LIBRARY_PATH-}: in *:$_sfumato_here/lib64:*) ;;
  *) export LD_LIBRARY_PATH=$_sfumato_here/lib64${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} ;;
esac
unset _sfumato_here
